import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { queryCases, type RouteCase, routeCases } from './cases.js';
import { MESSAGES, messageOf } from './messages.js';
import { type Answer, call, listen, type Server, sender, skipped, startMailpit, startSvc } from './servers.js';

/**
 * Sends the same messages and the same requests to svc and to the real Mailpit, and compares the answers. The results are
 * the tables of docs/mailpit.md; `npx vitest run -u` writes them.
 */

const PAGE = join(ROOT, 'docs/mailpit.md');

describe.skipIf(skipped)(`compared with Mailpit${skipped}`, () => {
  let svc: Server;
  let mailpit: Server;
  let receiver: Receiver;
  /** The IDs of the messages, by their number. */
  let ids: Map<Server, string[]>;
  const rows: string[] = [];

  beforeAll(async () => {
    [svc, mailpit] = await Promise.all([startSvc(), startMailpit()]);
    receiver = await startReceiver((response, { path }) => {
      const status = Object.entries({ '/missing': 404, '/broken': 500, '/moved': 301, '/loop': 302 }).find(([start]) =>
        path.startsWith(start),
      )?.[1];
      response.writeHead(status ?? 200, { location: path === '/loop' ? '/loop' : '/ok' }).end();
    });
    const senders = [sender(svc), sender(mailpit)];
    for (let n = 0; n < MESSAGES; n++) {
      const { raw, envelope } = messageOf(n);
      await Promise.all(senders.map((each) => each.send(raw, envelope)));
    }
    for (const each of senders) each.close();
    const listed = [svc, mailpit].map(async (server) => {
      const { body } = await call(server, 'GET', `/api/v1/messages?limit=${MESSAGES}`);
      const all: string[] = [];
      for (const { ID, MessageID } of body.messages) all[Number(/^case-(\d+)@/.exec(MessageID)?.[1])] = ID;
      return [server, all] as const;
    });
    ids = new Map(await Promise.all(listed));
  });

  afterAll(async () => {
    await Promise.all([svc?.stop(), mailpit?.stop(), receiver?.close()]);
  });

  const parts = new Map<Server, Map<string, string>>();

  async function ask(server: Server, { method = 'GET', path, body }: RouteCase['requests'][number]): Promise<Answer> {
    const own = ids.get(server) ?? [];
    const filled = (text: string) =>
      text.replaceAll('{receiver}', new URL(receiver.url).origin).replace(/\{(\d+)\}/g, (_, n) => own[Number(n)] ?? '');
    let target = filled(path);
    const [, message] = /message\/([^/]+)\/part\/\{part\}/.exec(target) ?? [];
    if (message !== undefined) {
      const known = parts.get(server) ?? new Map<string, string>();
      parts.set(server, known);
      if (!known.has(message)) {
        const { Attachments, Inline } = (await call(server, 'GET', `/api/v1/message/${message}`)).body;
        known.set(message, [...Attachments, ...Inline][0].PartID);
      }
      target = target.replace('{part}', known.get(message) ?? '');
    }
    const text = body === undefined ? undefined : filled(typeof body === 'string' ? body : JSON.stringify(body));
    return call(server, method, target, text);
  }

  const order = [...routeCases].sort((one, other) => Number(changesAll(one)) - Number(changesAll(other)));

  it.each(order.filter((each) => !changesAll(each)))('answers $route', (each) => compareRoute(each));

  it.each(queryCases)('finds what Mailpit finds by $word', async ({ word, queries, differs }) => {
    const found: Record<string, unknown>[] = [{}, {}];
    for (const query of queries) {
      for (const [index, server] of [svc, mailpit].entries()) {
        const { status, body } = await call(
          server,
          'GET',
          `/api/v1/search?query=${encodeURIComponent(query)}&limit=${MESSAGES}&tz=UTC`,
        );
        (found[index] as Record<string, unknown>)[query] =
          status === 200
            ? [
                body.messages_count,
                ...body.messages.map(({ MessageID }: { MessageID: string }) => MessageID.replace(/@.*/, '')),
              ]
            : status;
      }
    }
    if (differs === undefined) expect(found[0]).toEqual(found[1]);
    else expect(found[0]).not.toEqual(found[1]);
    rows.push(`| \`${word.replaceAll(', ', '`, `')}\` | ${differs === undefined ? 'same' : `differs: ${differs}`} |`);
  });

  it.each(order.filter(changesAll))('answers $route', (each) => compareRoute(each));

  it('keeps the tags that a message has over SMTP', async () => {
    const message = {
      raw: 'X-Tags: one, two\r\nTo: Ada <ada+three@example.test>\r\n\r\nHello',
      envelope: { from: '', to: ['ada@example.test'] },
    };
    const tags: unknown[] = [];
    for (const server of [svc, mailpit]) {
      const { send, close } = sender(server);
      await send(message.raw, message.envelope);
      close();
      tags.push((await call(server, 'GET', '/api/v1/message/latest')).body.Tags);
    }
    expect(tags).toEqual([[], ['one', 'three', 'two']]);
    rows.push('| SMTP: `X-Tags`, plus addresses | differs: svc reads the tags of `X-Service-Tags` |');
  });

  it('reports changes of emails to a WebSocket', async () => {
    const reports: unknown[][] = [];
    for (const server of [svc, mailpit]) {
      const first = messageOf(0);
      const { send, close } = sender(server);
      await call(server, 'DELETE', '/api/v1/messages');
      const events = await listen(server);
      const known = new Map<string, string>();
      for (const name of ['one', 'two', 'three']) {
        await send(first.raw, first.envelope);
        known.set((await events.until('new')).ID, name);
      }
      close();
      const [one, two, three] = [...known.keys()];
      await call(server, 'PUT', '/api/v1/messages', { IDs: [one], Read: true });
      await events.until('update');
      await call(server, 'GET', `/api/v1/message/${two}`);
      await events.until('update');
      await call(server, 'PUT', '/api/v1/tags', { IDs: [three], Tags: ['b', 'a'] });
      await events.until('update');
      await call(server, 'PUT', '/api/v1/messages', { IDs: [one], Read: false });
      await events.until('update');
      await call(server, 'DELETE', '/api/v1/messages', { IDs: [one] });
      await events.until('delete');
      await call(server, 'DELETE', '/api/v1/search?query=is:unread');
      await events.until('delete');
      await call(server, 'DELETE', '/api/v1/messages');
      await events.until('truncate');
      const { Total, Unread } = await events.until('stats', ({ Total }) => Total === 0);
      await events.close();
      const text = JSON.stringify(events.all.filter(({ Type }) => Type !== 'stats'));
      const named = [...known].reduce((sum, [id, name]) => sum.replaceAll(id, name), text);
      reports.push([...JSON.parse(named.replace(MEASURED_OR_LISTED, '$1"measured"')), { Total, Unread }]);
    }
    const [ours = [], theirs = []] = reports;
    // Deleting all emails is reported as one change by Mailpit.
    const ofLast = JSON.stringify({ Type: 'delete', Data: { ID: 'two' } });
    expect(ours.filter((each) => JSON.stringify(each) !== ofLast)).toEqual(theirs);
    expect(ours.length).toBe(theirs.length + 1);
    rows.push('| WebSocket: `GET /api/events` | differs: svc also reports each email when all are deleted |');
  });

  it('is what docs/mailpit.md lists', async () => {
    const page = readFileSync(PAGE, 'utf8');
    const isQuery = (row: string) => !/^\| (?:`(?:GET|PUT|POST|DELETE) |SMTP|WebSocket)/.test(row);
    const table = (head: string, some: string[]) =>
      [`| ${head} | Compared with Mailpit 1.33.1 |`, '|---|---|', ...some].join('\n');
    const listed = rows.filter((row) => !isQuery(row)).sort();
    const generated = `${table('Route', listed)}\n\n${table('Words of a search', rows.filter(isQuery))}`;
    const [before, , after] = page.split(/(?<=<!-- generated -->\n)|(?=<!-- end -->)/);
    await expect(`${before}\n${generated}\n\n${after}`).toMatchFileSnapshot(PAGE);
  });

  async function compareRoute({ route, requests, differs = {}, notMapped }: RouteCase): Promise<void> {
    const seen = new Set<string>();
    for (const request of requests) {
      const [ours, theirs] = [await ask(svc, request), await ask(mailpit, request)];
      if (notMapped !== undefined) {
        expect(ours, request.path).toMatchObject({ status: 501, type: 'text/plain' });
        continue;
      }
      const found = differencesOf(comparable(svc, ours), comparable(mailpit, theirs));
      const known = ([path]: Difference) =>
        Object.keys(differs).find((name) => path === name || path.startsWith(`${name}.`));
      for (const each of found) seen.add(known(each) ?? '');
      const unknown = found.filter((each) => known(each) === undefined);
      expect({ request, differences: unknown }).toEqual({ request, differences: [] });
    }
    expect([...seen].sort()).toEqual(Object.keys(differs).sort());
    const reasons = [...new Set(Object.values(differs))].join('; ');
    const result = notMapped !== undefined ? `501: ${notMapped}` : reasons === '' ? 'same' : `differs: ${reasons}`;
    rows.push(`| \`${route}\` | ${result} |`);
  }

  /** Returns an answer without what must differ: IDs, and times of reception. */
  function comparable(server: Server, { status, type, body }: Answer): unknown {
    const all = ids.get(server) ?? [];
    const text = JSON.stringify({ status, type, body });
    const named = all.reduce((sum, id, n) => (id ? sum.replaceAll(id, `{${n}}`) : sum), text);
    return JSON.parse(named.replace(MEASURED, '$1"measured"'));
  }
});

/** Times of reception, and IDs that a server gave during the comparison. */
const MEASURED = /("(?:Created|Date|ID|MessageID)":)"(?!2026-03-0|\{\d+\}|case-)[^"]+"/g;

/** The same, and what the list is known to differ in. */
const MEASURED_OR_LISTED = /("(?:Created|Size|Snippet)":)(?:"[^"]*"|\d+)/g;

/** Whether a case changes all messages, so that it comes last. */
function changesAll({ route }: RouteCase): boolean {
  return /^(?:DELETE \/api\/v1\/(?:search|messages)|PUT \/api\/v1\/(?:messages|tags\/)|DELETE \/api\/v1\/tags|POST \/api\/v1\/send|GET \/api\/v1\/message\/\{id\}\/link-check)/.test(
    route,
  );
}

type Difference = [path: string, ours: unknown, theirs: unknown];

function differencesOf(ours: unknown, theirs: unknown, path: string[] = []): Difference[] {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (isObject(ours) && isObject(theirs) && Array.isArray(ours) === Array.isArray(theirs)) {
    const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
    return names.flatMap((name) =>
      differencesOf(ours[name], theirs[name], [...path, Array.isArray(ours) ? '*' : name]),
    );
  }
  if (Object.is(ours, theirs)) return [];
  const at = path.filter((name) => name !== 'body').join('.');
  return [[at === '' ? '(text)' : at, ours, theirs]];
}
