import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/contract/vocabulary/query/parse-query.js';
import type { SearchDocument } from '../../src/core/model/search.js';
import { compileQuery } from '../../src/core/search/compile-query.js';
import { failedConditions, nearMisses } from '../../src/core/search/near-misses.js';
import { emails, NOW } from './emails.js';

const compiled = (query: string) => compileQuery(parseQuery(query), { now: NOW });

function emailNamed(name: string): SearchDocument {
  const found = emails.find(({ id }) => id === `msg_${name}`);
  if (!found) throw new Error(`no email ${name}`);
  return found;
}

describe('the failed conditions of an email', () => {
  it.each<[string, string, [string, string][]]>([
    ['reset', 'to:ada@example.test subject:reset', []],
    [
      'reset',
      'to:grace@example.test subject:/code/i has:link',
      [
        ['to:grace@example.test', 'Ada Lovelace <Ada@example.test>, bob@example.test, audit@acme.example'],
        ['subject:/code/i', 'Reset your password'],
      ],
    ],
    [
      'reset',
      '-has:link -is:read',
      [
        ['-has:link', '1 link'],
        ['-is:read', 'read'],
      ],
    ],
    [
      'reset',
      'has:code has:attachment',
      [
        ['has:code', 'no code'],
        ['has:attachment', 'no attachment'],
      ],
    ],
    ['reset', 'from:*@shop.example', [['from:*@shop.example', 'Acme Support <support@acme.example>']]],
    [
      'reset',
      '(tag:welcome OR status:bounced)',
      [['tag:welcome OR status:bounced', 'tag: auth, Password Reset; status: delivered']],
    ],
    ['reset', 'tag:welcome OR tag:orders', [['tag:welcome OR tag:orders', 'auth, Password Reset']]],
    ['reset', 'header:X-Id=7', [['header:X-Id=7', 'no header x-id']]],
    ['reset', 'header:X-Campaign=7', [['header:X-Campaign=7', 'spring, Summer Sale']]],
    ['reset', 'message-id:x', [['message-id:x', '<reset-1@acme.example>']]],
    [
      'reset',
      'after:1h larger:1MB',
      [
        ['after:1h', 'created at 2026-03-08T12:00:00.000Z'],
        ['larger:1MB', '2000 bytes'],
      ],
    ],
    ['reset', 'event:email.bounced', [['event:email.bounced', 'email.sent, email.delivered, email.opened']]],
    ['reset', 'dropped:*', [['dropped:*', 'no dropped recipient']]],
    [
      'bounced',
      'is:read is:scheduled',
      [
        ['is:read', 'unread'],
        ['is:scheduled', 'bounced'],
      ],
    ],
    [
      'empty',
      'subject:a text:b cc:c',
      [
        ['subject:a', 'no subject'],
        ['text:b', 'no text'],
        ['cc:c', 'no Cc recipient'],
      ],
    ],
    ['pending', 'has:link', [['has:link', 'content not searched yet']]],
    ['pending', '-has:link', [['-has:link', 'content not searched yet']]],
    [
      'worker',
      'subject:reset workspace:a',
      [
        ['subject:reset', 'Verify your address'],
        ['workspace:a', 'worker-3'],
      ],
    ],
  ])('of %s and %j are named with what it has instead', async (name, query, failed) => {
    expect(failedConditions(await compiled(query), emailNamed(name))).toEqual(
      failed.map(([condition, actual]) => ({ condition, actual })),
    );
  });

  it('are shown in one short line without control characters', async () => {
    const email = { ...emailNamed('reset'), subject: `a\u001b[31m\u0000b\u202ec\n\u2028${'x'.repeat(500)}` };
    const [failed] = failedConditions(await compiled('subject:nothing'), email);
    expect(failed?.actual).toMatch(/^a \[31m bc x{90,95}…$/);
  });
});

describe('near misses', () => {
  it('are the closest first, then the newest', async () => {
    const query = await compiled('to:ada@example.test subject:reset has:attachment');
    const found = nearMisses(query, emails, 4).map(({ document, failed }) => [document.id, failed.length]);
    expect(found).toEqual([
      ['msg_order', 1],
      ['msg_reset', 1],
      ['msg_japanese', 2],
      ['msg_empty', 3],
    ]);
  });

  it('are those with the most similar address first, when one is mistyped', async () => {
    const base = emailNamed('reset');
    const to = (id: string, seq: number, address: string) => ({
      ...base,
      id,
      seq,
      recipients: base.recipients.slice(0, 1).map((each) => ({ ...each, address, mailbox: address })),
    });
    const documents = [
      to('typo', 1, 'Ada <ada.lovelace@example.test>'),
      to('domain', 2, 'ada.lovelace@example.com'),
      to('other', 3, 'grace@shop.test'),
      to('newest', 4, 'linus@shop.test'),
    ];
    const order = async (query: string) =>
      nearMisses(await compiled(query), documents, 4).map((miss) => miss.document.id);

    expect(await order('to:ada.lovelave@example.test')).toEqual(['typo', 'domain', 'newest', 'other']);
    expect(await order('to:/^x/')).toEqual(['newest', 'other', 'domain', 'typo']);
    // What an email must not have is no typo.
    expect(await order('subject:nothing OR (subject:nothing -to:ada.lovelace@example.test)')).toEqual([
      'newest',
      'other',
      'domain',
      'typo',
    ]);
  });

  it('exclude emails that match', async () => {
    expect(nearMisses(await compiled(''), emails, 4)).toEqual([]);
    expect(nearMisses(await compiled('subject:reset'), [emailNamed('reset')], 4)).toEqual([]);
  });
});
