import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import type { EmailFilter } from '../../src/core/model/emails.js';
import type { Extracts, SearchDocument } from '../../src/core/model/search.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import type { Store } from '../../src/core/store.js';
import type { Transaction } from '../../src/core/transaction.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { attachment, emailOf, NOON, recipientOf, setExtracts } from '../storage/records.js';

/** Compares searches of several blocks of emails with the matcher, which decides without an index or counts. */

const COUNT = 2_200;
const BATCH = 550;
const words = ['password', 'invoice', 'ends with §', 'Größe', '注文番号', 'zq', 'x', 'order-17', '👋', 'ends with q'];

/** Numbers below 1,900 are large and delivered. Each other value is in a few emails or in most. */
async function insert(tx: Transaction, n: number): Promise<void> {
  const word = words[n % 97] ?? 'regular';
  const mailbox = `user${n}@example.test`;
  const status = n > 1_900 && n % 3 === 0 ? 'bounced' : n % 550 === 5 ? 'scheduled' : 'delivered';
  const email = emailOf(`msg_${n}`, {
    ...{ status, origin: n < 1_700 ? 'smtp' : 'rest', subject: `Mail ${n} ${n % 2 ? word : ''}` },
    ...{ text: `text ${n % 2 ? '' : word}`, html: n % 650 === 0 ? '' : `<p>${word}</p>`, to: mailbox },
    ...{ tags: [n % 2 ? 'odd' : 'Odd', `run-${n % 700}`], templateId: n % 450 === 0 ? 'tpl_A' : null },
    ...{ size: n < 1_900 ? 70_000 : n % 50, readAt: n % 500 === 7 ? NOON : null, createdAt: NOON + n * 60_000 },
    ...{ from: n === 1_744 ? 'Ada <ada@acme.test>' : 'shop@example.test' },
    ...{
      fromMailbox: n === 1_744 ? 'ada@acme.test' : 'shop@example.test',
      workspace: n % 400 === 3 ? 'w' : n % 9 === 0 ? null : 'most',
    },
  });
  const failed = { ...recipientOf(mailbox), status: n % 500 === 1 ? 'dropped' : 'bounced' } as const;
  await tx.emails.insert(email, [n % 250 === 1 ? failed : recipientOf(mailbox)], n % 600 === 0 ? [attachment] : []);
  if (n % 700 === 0) await tx.emails.warn(email.id, { code: 'status_filter', path: '', message: '' });
  const opened = { id: `evt_${n}`, createdAt: NOON, emailId: email.id, recipient: mailbox, payload: '{}' };
  await tx.events.append({ ...opened, type: n % 400 === 0 ? 'email.opened' : 'email.sent' }, undefined);
}

const atoms = [
  ...['password', 'invoice', 'größe', '注文', '注文番号', 'zq', 'x', '👋', 'q', '1', '21', 'order-17', '"mail 17 "'],
  ...[
    'subject:password',
    'subject:zq',
    'text:zq',
    'text:" q"',
    'text:/zq?/',
    'text:§',
    'tag:" odd"',
    'subject:/mail 21\\d\\d/i',
    'header:a=zq',
  ],
  ...['to:user21@', 'to:user2099@example.test', 'to:*99@example.test', 'to:u', 'from:ada@acme.test', 'from:ada'],
  ...['from:shop@example.test', 'tag:odd', 'tag:ODD', 'tag:run-17', 'tag:run-1*', 'tag:none', 'tag:*'],
  ...['status:delivered', 'status:bounced', 'status:scheduled', 'status:sent', 'is:read', 'is:unread', 'is:scheduled'],
  ...['is:suppressed', 'is:injected', 'has:attachment', 'has:html', 'has:link', 'has:code', 'has:warning'],
  ...['origin:smtp', 'origin:rest', 'template:tpl_a', 'template:x', 'workspace:w', 'workspace:x', 'id:msg_2000'],
  ...['event:email.opened', 'event:email.sent', 'event:email.clicked', 'larger:64KB', 'larger:69KB', 'larger:20B'],
  ...['larger:1MB', 'smaller:20B', 'smaller:64KB', 'smaller:1B', 'attachment:übersicht', 'after:2026-05-18T20:00:00Z'],
  ...['before:2026-05-17T20:00:00Z', 'before:2020-01-01'],
];

function extractsOf(n: number): Extracts {
  const link = { text: 'Reset', href: 'https://shop.test/r', kind: 'reset' } as const;
  const code = { value: '123456', context: '123456', confidence: 1 };
  return {
    ...{ htmlText: words[n % 97] ?? '', links: n % 300 === 0 ? [link] : [], codes: n % 650 === 0 ? [code] : [] },
    headers: n % 100 === 0 ? [['A', 'zq']] : [],
  };
}

/** Returns queries of one and of several atoms, always the same. */
function queries(): string[] {
  let state = 7;
  const one = () => {
    state = (state * 48_271) % 2_147_483_647;
    return `${state % 3 === 0 ? '-' : ''}${atoms[state % atoms.length]}`;
  };
  const combined = Array.from({ length: 90 }, (_, n) => {
    const terms = [one(), one(), one()];
    return n % 3 === 0
      ? terms.slice(1).join(' ')
      : n % 3 === 1
        ? terms.join(' OR ')
        : `${terms[0]} -(${terms[1]} OR ${terms[2]})`;
  });
  return [...atoms, ...atoms.map((atom) => `-${atom}`), ...combined];
}

describe('a search of many emails', () => {
  let store: Store;
  let documents: SearchDocument[];

  beforeAll(async () => {
    store = openSqliteStore('memory');
    for (let first = 1; first <= COUNT; first += BATCH) {
      await store.write(async (tx) => {
        for (let n = first; n < first + BATCH; n += 1) await insert(tx, n);
      });
    }
    await store.write(async (tx) => {
      for (let n = 50; n <= 1_600; n += 1) await tx.emails.delete([`msg_${n}`]);
      for (let n = 1_601; n <= 2_150; n += 1) await setExtracts(tx, `msg_${n}`, extractsOf(n));
      for (const n of [2_007, 2_100]) await tx.emails.setRead(`msg_${n}`, n === 2_100 ? NOON : null);
      await tx.emails.setStatus('msg_2001', { status: 'delivered' });
    });
    documents = await store.read.emails.documents(Array.from({ length: COUNT }, (_, n) => `msg_${COUNT - n}`));
  });
  afterAll(() => store.close());

  it.each(queries())('finds what matches %j', async (text) => {
    const compiled = await compileQuery(parseQuery(text), { now: NOON });
    const expected = documents.filter((document) => compiled.matches(document)).map(({ id }) => id);
    const found = await store.read.emails.search(compiled, { limit: COUNT });
    expect(found.emails.map(({ id }) => id)).toEqual(expected);
    expect([found.total, found.isTotalExact]).toEqual([expected.length, true]);
  });

  it.each(['w', 'most', 'none'])('finds the same in the workspace %s', async (workspace) => {
    const own = documents.filter((document) => document.workspace === workspace);
    for (const text of atoms) {
      const compiled = await compileQuery(parseQuery(text), { now: NOON });
      const expected = own.filter((document) => compiled.matches(document)).map(({ id }) => id);
      const found = await store.read.emails.search(compiled, { limit: COUNT, workspace });
      expect([text, ...found.emails.map(({ id }) => id)]).toEqual([text, ...expected]);
    }
  });

  it('continues at its cursor without gaps and repetitions', async () => {
    for (const text of [
      'zq',
      'q',
      'password',
      'tag:odd -status:delivered',
      'tag:run-1* mail',
      'is:unread larger:20B',
    ]) {
      const compiled = await compileQuery(parseQuery(text), { now: NOON });
      const all = await store.read.emails.search(compiled, { limit: COUNT });
      const paged: string[] = [];
      for (let before: number | undefined | null; before !== null; ) {
        const { emails, next } = await store.read.emails.search(compiled, { limit: 7, before });
        paged.push(...emails.map(({ id }) => id));
        before = next;
      }
      expect(paged).toEqual(all.emails.map(({ id }) => id));
    }
  });

  it('lists the emails that pass any combination of filters, with their number', async () => {
    const options = {
      status: [undefined, 'delivered', 'bounced', 'scheduled'],
      tags: [undefined, ['odd'], ['Odd', 'run-400']],
      sender: [undefined, 'shop@example.test', 'ada@acme.test'],
      recipient: [undefined, 'user1744@example.test'],
      workspace: [undefined, 'w'],
      fromDate: [undefined, NOON + 1_800 * 60_000 + 1],
      toDate: [undefined, NOON + 2_130 * 60_000],
    };
    let filters: Record<string, unknown>[] = [{}];
    for (const [name, values] of Object.entries(options)) {
      filters = filters.flatMap((filter) => values.map((value) => ({ ...filter, [name]: value })));
    }
    for (const filter of filters as EmailFilter[]) {
      const expected = documents.filter((document) => passes(document, filter)).map(({ id }) => id);
      const { items, total } = await store.read.emails.list(filter, { limit: 5, offset: 1 });
      expect([filter, items.map(({ id }) => id), total]).toEqual([filter, expected.slice(1, 6), expected.length]);
    }
  });
});

function passes(document: SearchDocument, filter: EmailFilter): boolean {
  const { status, tags = [], sender, recipient, workspace, fromDate = 0, toDate = Number.MAX_VALUE } = filter;
  const { createdAt } = document;
  const mailboxes = document.recipients.map(({ mailbox }) => mailbox);
  return [
    status === undefined || document.status === status,
    sender === undefined || document.fromMailbox === sender,
    tags.every((tag) => document.tags.includes(tag)),
    recipient === undefined || mailboxes.includes(recipient),
    workspace === undefined || document.workspace === workspace,
    createdAt >= fromDate && createdAt <= toDate,
  ].every((passed) => passed);
}
