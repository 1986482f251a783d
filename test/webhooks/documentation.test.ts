import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventTypes } from '../../src/contract/vocabulary/event-types.js';
import { ROOT, svc } from '../support/cli/binary.js';
import { serverAndReceiver } from '../support/cli/server-and-receiver.js';
import { hmacByPython } from '../support/cli/tools.js';
import { documentedReceivers, RECEIVERS } from './receivers.js';

const SECRET = 'whsec_example';
const LANGUAGES = ['js', 'python', 'go', 'php', 'ruby'];

const PAGES = ['webhooks', 'webhook-receivers', 'webhook-events'];

const text = PAGES.map((page) => readFileSync(join(ROOT, `docs/${page}.md`), 'utf8')).join('\n');
const blocks = Array.from(text.matchAll(/^```(\w*)[^\n]*\n(.*?)^```$/gms), ([, language = '', code = '']) => ({
  language,
  code,
}));
const inLanguage = (...languages: string[]) =>
  blocks.filter(({ language }) => languages.includes(language)).map(({ code }) => code);

/** Returns the request that the document shows. */
function shownRequest(): { headers: Record<string, string>; body: string } {
  const [request = ''] = inLanguage('http');
  const [head = '', body = ''] = request.trimEnd().split('\n\n');
  const headers = Object.fromEntries(
    head
      .split('\n')
      .slice(1)
      .map((line) => line.split(': ') as [string, string]),
  );
  return { headers, body };
}

/** Returns the structure without the values: names in order, and types. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return ['array'];
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.entries(value).map(([name, each]) => [name, shapeOf(each)]);
}

describe('the pages on webhooks in docs', () => {
  it('shows each receiver as the tests run it, and no other code', () => {
    const files = readdirSync(RECEIVERS).toSorted();
    expect(files).toEqual(documentedReceivers.map(({ file }) => file).toSorted());
    const contents = files.map((file) => readFileSync(join(RECEIVERS, file), 'utf8'));
    expect(inLanguage(...LANGUAGES).toSorted()).toEqual(contents.toSorted());
  });

  it('shows a request with a valid signature', () => {
    const { headers, body } = shownRequest();
    const signature = hmacByPython(body, SECRET);
    expect(headers['X-Service-Signature']).toBe(signature);
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
    expect(text).toContain(`${signature} *stdin`);
    expect(text).toContain(`--signature ${signature} `);
  });

  describe('compared with what the built svc sends', () => {
    const local = serverAndReceiver();

    beforeAll(async () => {
      const args = ['--url', local.receiver.url, '--events', eventTypes.join(), '--secret', SECRET];
      await run(['webhooks', 'create', ...args]);
      for (const type of eventTypes) await run(['webhooks', 'trigger', type]);
      await run(['dev', 'clock', 'advance', '1s']);
    });

    async function run(args: string[]): Promise<void> {
      const { code, stderr } = await svc([...args, ...local.dataDir]);
      expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
    }

    it('has a payload of each event, of the same names in the same order', () => {
      const sent = new Map(
        local.receiver.received.map(({ body }) => {
          const event = JSON.parse(body.toString()) as { type: string };
          return [event.type, shapeOf(event)];
        }),
      );
      const shown = inLanguage('json').map((code) => JSON.parse(code) as { type: string });
      expect(shown.map(({ type }) => type)).toEqual([...eventTypes]);
      for (const event of shown) expect([event.type, shapeOf(event)]).toEqual([event.type, sent.get(event.type)]);
    });

    it('names the headers that are sent', () => {
      const { headers } = shownRequest();
      const names = Object.keys(local.receiver.received[0]?.headers ?? {});
      expect(Object.keys(headers).map((name) => name.toLowerCase())).toEqual(names);
    });
  });
});
