import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe } from '../../support/cli/serve.js';
import { skippedWithout } from '../../support/cli/tools.js';
import { freePort, startPostgres, withoutPostgres } from '../../support/postgres.js';
import { startProxy } from '../../support/servers/proxy.js';

const CLIENTS = 8;
/** Requests between two restarts, so that each happens under load. */
const BETWEEN = 60;
const FLAGS = ['--external-url', 'http://mail.example.com', '--base-path', '/mail', '--drain-delay', '300ms'];
const skipped = withoutPostgres || skippedWithout('nginx');

it.skipIf(skipped)(`fails no request and loses no email${skipped}`, async () => {
  const postgres = await startPostgres();
  const database = await postgres.createDatabase();
  const ports = [await freePort(), await freePort()] as const;
  const start = (port: number) =>
    startServe([...FLAGS, '--http-port', String(port)], { env: { SVC_DATABASE_URL: database } });
  const servers = [await start(ports[0]), await start(ports[1])];
  const directory = temporaryDirectory();
  const proxy = await startProxy('nginx', directory.path, ports);

  const agent = new Agent({ keepAlive: true });
  const accepted = new Set<string>();
  const failures: unknown[] = [];
  let isOver = false;
  let waiting = { until: 0, resolve: () => {} };
  const sent = (count: number) =>
    new Promise<void>((resolve) => {
      waiting = { until: accepted.size + count, resolve };
    });
  async function post(subject: string): Promise<void> {
    const body = JSON.stringify({ to: 'a@x.test', from: 'b@x.test', subject, html: '<p>Hi</p>' });
    const headers = {
      ...{ host: 'mail.example.com', authorization: `Bearer ${ADMIN_KEY}` },
      ...{ 'content-type': 'application/json', 'content-length': body.length },
    };
    const sending = request({ port: proxy.port, path: '/mail/v1/emails', method: 'POST', agent, headers });
    sending.end(body);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += chunk;
    if (response.statusCode === 201) accepted.add(subject);
    else failures.push([response.statusCode, text]);
    if (accepted.size >= waiting.until) waiting.resolve();
  }
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let count = 0; !isOver; count += 1) {
      await post(`mail ${client} ${count}`).catch((error: unknown) => failures.push(error));
    }
  });

  for (const round of [0, 1, 0, 1]) {
    await sent(BETWEEN);
    expect(await servers[round]?.stop()).toBe(0);
    servers[round] = await start(ports[round] ?? 0);
  }
  await sent(BETWEEN);
  isOver = true;
  await Promise.all(clients);

  expect(failures).toEqual([]);
  const rows = await postgres.query('SELECT subject FROM emails', new URL(database).pathname.slice(1));
  const stored = rows.map(({ subject }) => String(subject));
  expect(stored.filter((subject, index) => stored.indexOf(subject) !== index)).toEqual([]);
  expect([...accepted].filter((subject) => !stored.includes(subject))).toEqual([]);

  await proxy.stop();
  await Promise.all(servers.map((server) => server.stop()));
  await postgres.remove();
  directory.remove();
});
