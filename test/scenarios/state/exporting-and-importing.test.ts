import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { readEvents } from '../../support/events.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { EMAIL, everythingOf, exportFrom, fillServer, importInto, post } from '../../support/state.js';

/** Tests that the whole state of one server replaces another's. */

const HOUR_MS = 3_600_000;

describe('a whole state', () => {
  let source: TestApp;
  let target: TestApp;
  let receiver: Receiver;
  let directory: ReturnType<typeof temporaryDirectory>;

  beforeEach(async () => {
    directory = temporaryDirectory();
    receiver = await startReceiver((response) => response.writeHead(500).end('no'));
    source = await startApp({ storage: { file: join(directory.path, 'source.db') } });
    target = await startApp({ storage: { file: join(directory.path, 'target.db') } });
  });
  afterEach(async () => {
    await Promise.all([source.close(), target.close()]);
    await receiver.close();
    directory.remove();
  });

  it('is restored unchanged, in an empty server', async () => {
    await fillServer(source, receiver.url);
    // While neither listens, tracking links have the same base.
    await source.close();
    source = await startApp({ storage: { file: join(directory.path, 'source.db') } });
    // Tracked forms create their secret on first use.
    await everythingOf(source);
    const archive = await exportFrom(source);
    const before = await everythingOf(source);

    const { status, json } = await importInto(target, archive);

    expect({ status, data: json.data }).toMatchObject({
      status: 200,
      data: { format: 'svc-state', format_version: 1 },
    });
    expect(await everythingOf(target)).toEqual(before);
    expect(Object.keys(before).filter((path) => /deliveries\/dlv_/.test(path)).length).toBeGreaterThan(1);
    expect(Object.keys(before)).toContainEqual(expect.stringMatching(/attachments\/0$/));
    expect(target.faults).toEqual([]);
  });

  it('continues: scheduled emails, deferred emails and webhooks to be retried', async () => {
    await fillServer(source, receiver.url);
    await importInto(target, await exportFrom(source));

    const outcomes = [];
    for (const app of [source, target]) {
      const { ran } = await post(app, '/_svc/clock/advance', { by: '4h' });
      const { emails } = (await app.call('GET', '/v1/emails')).json.data;
      const { deliveries } = (await app.call('GET', '/_svc/deliveries')).json.data;
      outcomes.push({
        ran,
        emails: emails.map(({ subject, status }: Record<string, string>) => `${subject} ${status}`),
        deliveries: deliveries.map(
          ({ type, state, attempts }: Record<string, string>) => `${type} ${state} ${attempts}`,
        ),
      });
    }

    expect(outcomes[1]).toEqual(outcomes[0]);
    expect(outcomes[1]?.emails).toContain('later delivered');
    expect(outcomes[1]?.deliveries).toContain('email.delivered failed 4');
    expect(target.faults).toEqual([]);
  });

  it('replaces everything except the server’s own key and the open event streams', async () => {
    await post(source, '/v1/emails', { ...EMAIL, subject: 'from the source' });
    await post(target, '/v1/emails', { ...EMAIL, subject: 'from the target' });
    await post(target, '/v1/templates', { name: 'old', subject: 'x', html: 'x' });
    await target.call('PATCH', '/_svc/clock', { now: '2040-01-01T00:00:00.000Z', frozen: true });
    const { key } = await post(target, '/v1/api-keys', { name: 'gone', environment: 'test' });

    expect((await importInto(target, await exportFrom(source))).status).toBe(200);

    const emails = (await target.call('GET', '/v1/emails')).json.data.emails;
    expect(emails.map(({ subject }: { subject: string }) => subject)).toEqual(['from the source']);
    expect((await target.call('GET', '/v1/templates')).json.data.templates).toEqual([]);
    expect((await target.call('GET', '/_svc/clock')).json.data).toMatchObject({ frozen: false });
    expect(target.clock.now()).toBeLessThan(Date.parse('2040-01-01T00:00:00.000Z'));
    expect((await target.call('GET', '/v1/emails', undefined, { authorization: `Bearer ${key}` })).status).toBe(401);
  });

  it('keeps the key of the importing server, and adds the keys of the other', async () => {
    const other = await startApp({ storage: 'memory', apiKey: 'svc_test_other' });
    try {
      const { key } = (await other.call('POST', '/v1/api-keys', { name: 'ci', environment: 'test' })).json.data;
      const archive = (
        await other.http.inject({
          method: 'GET',
          url: '/_svc/export',
          headers: { host: 'localhost', authorization: 'Bearer svc_test_other' },
        })
      ).rawPayload;

      await importInto(target, archive);

      for (const each of [TEST_KEY, 'svc_test_other', key]) {
        const { status } = await target.call('GET', '/v1/emails', undefined, { authorization: `Bearer ${each}` });
        expect({ each, status }).toEqual({ each, status: 200 });
      }
    } finally {
      await other.close();
    }
  });

  it('sends no old events to readers of the event stream: they get what happens from then on', async () => {
    await fillServer(source, receiver.url);
    await target.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
    const events = readEvents(target);
    await importInto(target, await exportFrom(source));

    await post(target, '/v1/emails', { ...EMAIL, subject: 'after' });

    expect(await events.until(({ type, data }) => type === 'email.sent' && data.subject === 'after')).toEqual([]);
    await events.stop();
    expect(target.faults).toEqual([]);
  });

  it('numbers later events above all that readers of either side have seen', async () => {
    for (let count = 0; count < 5; count += 1) await post(target, '/v1/emails', EMAIL);
    await target.drain();
    await post(source, '/v1/emails', EMAIL);
    await source.drain();
    const last = (await target.call('GET', '/_svc/info')).json.data.last_event;

    await importInto(target, await exportFrom(source));
    await post(target, '/v1/emails', EMAIL);

    expect((await target.call('GET', '/_svc/info')).json.data.last_event).toBeGreaterThan(last);
  });

  it('is consistent, however many emails arrive meanwhile', async () => {
    let stop = false;
    const sending = (async () => {
      while (!stop) await post(source, '/v1/emails', EMAIL);
    })();
    const archives = [await exportFrom(source), await exportFrom(source), await exportFrom(source)];
    stop = true;
    await sending;

    for (const archive of archives) {
      expect((await importInto(target, archive)).status).toBe(200);
      const { total } = (await target.call('GET', '/v1/analytics/emails')).json.data;
      const { pagination, emails } = (await target.call('GET', '/v1/emails?limit=100')).json.data;
      expect(pagination.total).toBeGreaterThan(0);
      // Every email has its events and counts, whatever its outcome.
      expect(total.sent).toBe(pagination.total);
      for (const { id, status } of emails) {
        const { events } = (await target.call('GET', `/_svc/emails/${id}`)).json.data;
        const types = events.map(({ type }: { type: string }) => type);
        expect(types).toEqual(status === 'sent' ? ['email.sent'] : ['email.sent', 'email.delivered']);
      }
    }
  });

  it('has its time, which continues from where it was moved to', async () => {
    const days = 3 * 24;
    await post(source, '/_svc/clock/advance', { by: `${days}h` });

    await importInto(target, await exportFrom(source));

    const ahead = (target.clock.now() - target.clock.systemNow()) / HOUR_MS;
    expect(ahead).toBeCloseTo(days, 3);
    expect((await target.call('GET', '/_svc/clock')).json.data.frozen).toBe(false);
  });

  it('leaves a webhook attempt in progress to the state it belonged to', async () => {
    const held: (() => void)[] = [];
    const slow = await startReceiver((response) => {
      if (held.length < 1) held.push(() => response.writeHead(200).end());
      else response.writeHead(204).end();
    });
    try {
      await target.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
      await post(target, '/v1/webhooks', { url: slow.url, events: ['email.sent'], secret: 'whsec_x' });
      await post(target, '/v1/emails', EMAIL);
      await slow.until(1);

      await importInto(target, await exportFrom(target));
      held[0]?.();
      await slow.until(2);
      await target.drain();

      const { deliveries } = (await target.call('GET', '/_svc/deliveries')).json.data;
      expect(deliveries).toMatchObject([{ state: 'succeeded', attempts: 1, status: 204 }]);
      expect(target.faults).toEqual([]);
    } finally {
      await slow.close();
    }
  });

  it('can be replaced while emails arrive: earlier ones are gone, later ones are complete', async () => {
    await post(source, '/v1/emails', { ...EMAIL, subject: 'imported' });
    await source.drain();
    await target.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
    const archive = await exportFrom(source);
    let stop = false;
    let sent = 0;
    const sending = (async () => {
      while (!stop) {
        await post(target, '/v1/emails', { ...EMAIL, subject: `sent ${sent}` });
        sent += 1;
      }
    })();

    for (let count = 0; count < 3; count += 1) expect((await importInto(target, archive)).status).toBe(200);
    await post(target, '/v1/emails', { ...EMAIL, subject: 'last' });
    stop = true;
    await sending;
    await target.drain();

    const { emails, pagination } = (await target.call('GET', '/v1/emails?limit=100')).json.data;
    const subjects = emails.map(({ subject }: { subject: string }) => subject);
    expect(subjects).toContain('imported');
    expect(subjects).toContain('last');
    expect(pagination.total).toBeLessThan(sent + 2);
    expect(new Set(emails.map(({ status }: { status: string }) => status))).toEqual(new Set(['delivered']));
    const { total } = (await target.call('GET', '/v1/analytics/emails')).json.data;
    expect(total).toMatchObject({ sent: pagination.total, delivered: pagination.total });
    expect(target.faults).toEqual([]);
  });

  it('of a server in memory is an archive like any other', async () => {
    const inMemory = await startApp();
    try {
      await post(inMemory, '/v1/emails', EMAIL);
      expect((await importInto(target, await exportFrom(inMemory))).status).toBe(200);
      expect((await importInto(inMemory, await exportFrom(target))).status).toBe(200);
      expect((await inMemory.call('GET', '/v1/emails')).json.data.emails).toHaveLength(1);
    } finally {
      await inMemory.close();
    }
  });
});
