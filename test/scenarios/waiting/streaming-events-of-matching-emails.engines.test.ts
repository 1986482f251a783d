import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseQuery } from '../../../src/contract/vocabulary/query/parse-query.js';
import { matchesWhenSearched } from '../../../src/core/handlers/control/server.js';
import { compileQuery } from '../../../src/core/search/compile-query.js';
import { openSqliteStore } from '../../../src/storage/sqlite/store.js';
import { emailOf, NOON } from '../../storage/records.js';
import { startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.closeClean());

const send = (to: string, subject: string) =>
  app.call('POST', '/v1/emails', {
    from: 'shop@example.test',
    to,
    subject,
    html: '<p>Your <b>code</b> is 493 027</p>',
  });

/** Reads the event stream until an event about this address. Returns the types and recipients of the events before. */
async function eventsUntil(search: string, last: string): Promise<string[]> {
  const response = await app.http.inject({
    url: `/_svc/events?after=0&search=${encodeURIComponent(search)}`,
    headers: { host: 'localhost', authorization: `Bearer ${TEST_KEY}` },
    payloadAsStream: true,
  });
  const stream = response.stream();
  const events: string[] = [];
  let rest = '';
  for await (const chunk of stream) {
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const event = JSON.parse(data);
      if (event.data.to === last) return events;
      events.push(`${event.type} ${event.data.to}`);
    }
  }
  return events;
}

it('streams events of emails that match, in order', async () => {
  await send('ada@example.test', 'Reset');
  await send('bob@example.test', 'Order');
  await app.call('POST', '/v1/templates', { name: 'a', subject: 'b', html: 'c', text: '' });
  await send('grace@example.test', 'Reset');
  await send('end@example.test', 'End');
  await app.call('POST', '/_svc/settle', {});

  const ofReset = ['email.sent ada@example.test', 'email.sent grace@example.test'];
  const sent = async (search: string) =>
    (await eventsUntil(search, 'end@example.test')).filter((event) => event.startsWith('email.sent'));
  expect(await sent('subject:reset OR subject:end')).toEqual(ofReset);
  expect((await eventsUntil('', 'end@example.test')).some((event) => event.startsWith('template.'))).toBe(false);
});

it('skips an email whose content cannot be searched, instead of waiting for it forever', async () => {
  const store = openSqliteStore('memory');
  await store.write((tx) => tx.emails.insert(emailOf('msg_1'), [], []));
  const query = await compileQuery(parseQuery('has:code'), { now: NOON });
  const asked: unknown[] = [];
  const core = {
    store,
    parsePending: async () => {},
    extractPending: async (_: unknown, ids?: readonly string[]) => void asked.push(ids),
  };
  expect(await matchesWhenSearched(core, query, 'msg_1', new AbortController().signal)).toBe(false);
  expect(asked[0]).toEqual(['msg_1']);
  await store.close();
});

it('refuses an invalid query', async () => {
  const { status, json } = await app.call('GET', '/_svc/events?search=form:ada');
  expect(status).toBe(400);
  expect(json.error.hint).toContain('Did you mean "from:"?');
  expect(json.error.message).toContain('search: unknown field "form" at column 1');
});
