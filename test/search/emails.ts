import type { Extracts, SearchDocument } from '../../src/core/model/search.js';

/** The emails of the shared cases. */

/** The time of the searches, on the service's clock. */
export const NOW = Date.UTC(2026, 2, 10, 12);
const HOUR = 3_600_000;

const recipient = (
  kind: 'to' | 'cc' | 'bcc',
  address: string,
  status: SearchDocument['recipients'][number]['status'] = 'delivered',
  mailbox = (/<(.*)>$/.exec(address)?.[1] ?? address).toLowerCase(),
) => ({ kind, address, mailbox, status });

const extracts = (fields: Partial<Extracts>): Extracts => ({
  htmlText: '',
  links: [],
  codes: [],
  headers: [],
  ...fields,
});

let seq = 0;
function email(id: string, fields: Partial<SearchDocument>): SearchDocument {
  seq += 1;
  return {
    seq,
    id,
    origin: 'rest',
    workspace: null,
    status: 'delivered',
    from: 'noreply@app.example',
    fromMailbox: 'noreply@app.example',
    replyTo: null,
    recipients: [recipient('to', 'user@example.test')],
    subject: '',
    text: '',
    hasHtml: false,
    tags: [],
    templateId: null,
    attachments: [],
    warnings: [],
    events: ['email.sent', 'email.delivered'],
    read: false,
    size: 500,
    createdAt: NOW - 24 * HOUR,
    capturedAt: NOW - 24 * HOUR,
    extracts: extracts({}),
    ...fields,
  };
}

export const emails: readonly SearchDocument[] = [
  email('msg_reset', {
    from: 'Acme Support <support@acme.example>',
    fromMailbox: 'support@acme.example',
    replyTo: 'help@acme.example',
    recipients: [
      recipient('to', 'Ada Lovelace <Ada@example.test>'),
      recipient('cc', 'bob@example.test'),
      recipient('bcc', 'audit@acme.example'),
    ],
    subject: 'Reset your password',
    text: 'Hello Ada,\r\n\r\nuse this link to choose a\nnew password: https://acme.example/reset?t=1',
    hasHtml: true,
    tags: ['auth', 'Password Reset'],
    events: ['email.sent', 'email.delivered', 'email.opened'],
    read: true,
    size: 2_000,
    createdAt: NOW - 48 * HOUR,
    extracts: extracts({
      htmlText: 'Hello Ada, choose a new password',
      links: [{ text: 'choose a new password', href: 'https://acme.example/reset?t=1', kind: 'reset' }],
      headers: [
        ['Subject', 'Reset your password'],
        ['X-Campaign', 'spring'],
        ['X-Campaign', 'Summer Sale'],
        ['Message-ID', '<reset-1@acme.example>'],
      ],
    }),
  }),
  email('msg_code', {
    origin: 'smtp',
    from: '"Login, Acme" <login@acme.example>',
    fromMailbox: 'login@acme.example',
    recipients: [recipient('to', 'Grace Hopper <grace@example.test>')],
    subject: 'Your code is 493 027',
    text: 'Enter 493 027 at 12:30 on http://localhost:3000/verify.',
    size: 900,
    createdAt: NOW - 2 * HOUR,
    extracts: extracts({
      links: [{ text: 'http://localhost:3000/verify', href: 'http://localhost:3000/verify', kind: 'verify' }],
      codes: [{ value: '493027', context: 'Your code is 493 027', confidence: 1 }],
      headers: [
        ['Message-ID', '<A1b2@mail.acme.example>'],
        ['List-Unsubscribe', '<mailto:stop@acme.example>'],
        ['X-Empty', ''],
      ],
    }),
  }),
  email('msg_order', {
    from: 'Shop <orders@shop.example>',
    fromMailbox: 'orders@shop.example',
    recipients: [recipient('to', 'ada@example.test'), recipient('bcc', 'Archive <archive@corp.example>')],
    subject: 'Order #1042 * shipped',
    text: 'Your order 1042 was shipped to Ada Lovelace.',
    tags: ['orders', 'orders-eu'],
    templateId: 'tpl_order',
    attachments: ['Invoice-1042.PDF', 'terms (final).txt'],
    warnings: ['large_attachments'],
    size: 1_500_000,
    createdAt: NOW - HOUR,
  }),
  email('msg_german', {
    from: 'Jürgen Müller <jürgen@bücher.example>',
    fromMailbox: 'jürgen@xn--bcher-kva.example',
    recipients: [recipient('to', 'straße@example.test')],
    subject: 'Größe und Straße geändert',
    text: 'Schöne Grüße aus der Schloßstraße, Ihre ΟΔΟΣ. Café und I\u0307stanbul.',
  }),
  email('msg_japanese', {
    from: '山田 <yamada@example.jp>',
    fromMailbox: 'yamada@example.jp',
    subject: '確認コード 😀',
    text: 'あなたの確認コードは 884211 です。',
    hasHtml: true,
    attachments: ['請求書.pdf'],
    extracts: extracts({
      htmlText: 'あなたの確認コードは',
      codes: [{ value: '884211', context: 'あなたの確認コードは 884211 です。', confidence: 1 }],
    }),
  }),
  email('msg_scheduled', {
    status: 'scheduled',
    recipients: [recipient('to', 'ada.byron@example.test', 'scheduled')],
    subject: 'Weekly digest',
    text: 'News of the week.',
    tags: ['digest'],
    events: [],
    createdAt: NOW,
  }),
  email('msg_bounced', {
    status: 'bounced',
    recipients: [
      recipient('to', 'gone@example.test', 'bounced'),
      recipient('cc', 'Blocked <blocked@example.test>', 'dropped'),
    ],
    subject: 'Welcome, Gone',
    text: 'Welcome to Acme.',
    tags: ['welcome'],
    events: ['email.sent', 'email.bounced', 'email.dropped'],
  }),
  email('msg_complained', {
    origin: 'smtp',
    status: 'complained',
    recipients: [recipient('to', 'angry@example.test.evil.example', 'complained')],
    subject: 'welcome again',
    text: 'Unsubscribe below.',
    tags: ['WELCOME'],
    events: ['email.sent', 'email.delivered', 'email.complained'],
  }),
  // Its content is not searched yet, so its HTML as text, its links, codes and header fields are unknown.
  email('msg_pending', {
    subject: 'Just arrived',
    text: 'Plain part',
    hasHtml: true,
    createdAt: NOW - 1_000,
    extracts: undefined,
  }),
  email('msg_special', {
    from: '"O\'Brien (Ops)" <ops+alerts@example.test>',
    fromMailbox: 'ops+alerts@example.test',
    subject: 'He said "hello" \\ (twice) - NOT OR never',
    text: 'Path /api/v1/mail, 100%_done, a*b, from: nobody. It costs $5 [net].',
    tags: ['a"b', 'c:d', '50%', 'x_y'],
  }),
  email('msg_worker', {
    workspace: 'worker-3',
    recipients: [recipient('to', 'sign-up@w3.example.test')],
    subject: 'Verify\tyour\naddress',
    text: 'Click to verify.',
    templateId: 'tpl_verify',
    createdAt: Date.UTC(2026, 2, 1),
  }),
  email('msg_empty', {
    status: 'sent',
    events: ['email.sent'],
    size: 1,
    createdAt: Date.UTC(2025, 11, 31, 23, 59, 59),
  }),
];
