import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { start, text } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { startReceiver } from '../../support/servers/receiver.js';

const folder = folderOfEachTest();

it('ends the command with 130 and a message, and the server finishes the move', async () => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((response) => held.push(response));
  const { ready } = await folder.startServer(['--in-memory']);
  const env = { SVC_BASE_URL: ready.base_url, SVC_API_KEY: ready.api_key };
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (
      (await (await fetch(new URL(path, ready.base_url), init)).json()) as { data: { now: string; offset_ms: number } }
    ).data;
  };
  await call('POST', '/v1/webhooks', { url: receiver.url, events: ['email.sent'] });
  const { now } = (await call('GET', '/_svc/clock')) as { now: string };
  const at = new Date(Date.parse(now) + 60_000);
  const email = { to: 'ada@example.test', from: 'app@example.test', subject: 'Later', html: '<p>Later</p>' };
  await call('POST', '/v1/emails', { ...email, scheduled_at: at.toISOString() });

  const child = start(['dev', 'clock', 'advance', '2h'], { env });
  const exited = once(child, 'exit');
  const stderr = text(child.stderr);
  await receiver.until(1);
  child.kill('SIGINT');

  expect(await exited).toEqual([130, null]);
  expect(await stderr).toContain('The server finishes moving its clock. To see the time, run: svc dev clock show');
  held[0]?.end();
  await expect.poll(async () => (await call('GET', '/_svc/clock')).offset_ms).toBe(7_200_000);
  await receiver.close();
});
