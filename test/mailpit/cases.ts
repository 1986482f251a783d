/** What the comparison with Mailpit asks both servers, and the differences that are known. */

/** A request. `{n}` in a path is the ID of message n, and `{part}` that of its first attachment or inline part. */
export interface RouteCase {
  route: string;
  requests: { method?: string; path: string; body?: unknown }[];
  /** Paths of answers that differ, such as `messages.*.Size`, each with why. */
  differs?: Record<string, string>;
  /** The route answers 501, for this reason. */
  notMapped?: string;
}

const SIZE = { Size: 'messages are smaller without added fields' };
const inList = (fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, why]) => [`messages.*.${name}`, why]));
const PART = 'parts have other IDs';
const PARTS = { 'Attachments.*.PartID': PART, 'Inline.*.PartID': PART };
const ADDED = 'svc adds no header fields to a message';
const IN_LIST = inList({ ...SIZE, Snippet: 'the text of images is part of the text' });
const HTML = 'the results are those of `svc emails check`, in the form of Mailpit';
const INFO = 'svc reports its own version and storage, and does not count what the process has seen';
const TEXTS = { '(text)': 'svc words errors itself' };

/** A message with links. `{receiver}` is the address of a server of the test. */
const LINKS = {
  From: { Email: 'a@example.test' },
  To: [{ Email: 'links@example.test' }],
  HTML: ['/ok', '/missing', '/broken', '/moved', '/loop', '/ok?again=1&b=2']
    .map((path) => `<a href="{receiver}${path}">link</a>`)
    .concat('<a href="http://127.0.0.1:1/closed">closed</a> <a href="mailto:a@example.test">mail</a>')
    .join(' '),
};

export const routeCases: RouteCase[] = [
  {
    route: 'GET /api/v1/messages',
    requests: [
      '',
      '?limit=3',
      '?start=195',
      '?start=5&limit=2',
      '?limit=-1',
      '?limit=x&start=-4',
      '?start=500',
      '?limit=0',
      '?before=2001-01-01',
      '?before=nonsense&limit=1',
    ].map((query) => ({ path: `/api/v1/messages${query}` })),
    differs: IN_LIST,
  },
  {
    route: 'GET /api/v1/search',
    requests: [
      '',
      '?query=',
      '?query=%20',
      '?query=to:ada&limit=3',
      '?query=to:ada&start=2&limit=2',
      '?query=to:ada&limit=0',
      '?query=nothing-has-this',
      '?query=subject:invoice&start=900',
    ].map((query) => ({ path: `/api/v1/search${query}` })),
    differs: IN_LIST,
  },
  {
    route: 'GET /api/v1/message/{id}',
    requests: [
      ...Array.from({ length: 24 }, (_, n) => ({ path: `/api/v1/message/{${n}}` })),
      { path: '/api/v1/message/latest' },
      { path: '/api/v1/message/latest?query=to:ada' },
      { path: '/api/v1/message/latest?query=nothing-has-this' },
      { path: '/api/v1/message/none' },
    ],
    differs: { ...SIZE, ...PARTS, Text: 'the text of HTML alone is that of svc', ...TEXTS },
  },
  {
    route: 'GET /api/v1/message/{id}/headers',
    requests: [
      ...Array.from({ length: 12 }, (_, n) => ({ path: `/api/v1/message/{${n}}/headers` })),
      { path: '/api/v1/message/none/headers' },
    ],
    differs: { Bcc: ADDED, Received: ADDED, 'Return-Path': ADDED },
  },
  {
    route: 'GET /api/v1/message/{id}/raw',
    requests: [{ path: '/api/v1/message/{1}/raw' }, { path: '/api/v1/message/none/raw' }],
    differs: { '(text)': ADDED },
  },
  {
    route: 'GET /api/v1/message/{id}/part/{part}',
    requests: [
      { path: '/api/v1/message/{3}/part/{part}' },
      { path: '/api/v1/message/{4}/part/{part}' },
      { path: '/api/v1/message/{3}/part/99' },
      { path: '/api/v1/message/none/part/1' },
    ],
  },
  {
    route: 'GET /api/v1/message/{id}/part/{part}/thumb',
    requests: [{ path: '/api/v1/message/{4}/part/{part}/thumb' }],
    notMapped: 'svc makes no thumbnails',
  },
  {
    route: 'GET /api/v1/message/{id}/html-check',
    requests: [
      { path: '/api/v1/message/{1}/html-check' },
      { path: '/api/v1/message/{0}/html-check' },
      { path: '/api/v1/message/none/html-check' },
    ],
    differs: { Warnings: HTML, Platforms: HTML, Total: HTML },
  },
  {
    route: 'GET /api/v1/message/{id}/sa-check',
    requests: [{ path: '/api/v1/message/{1}/sa-check' }],
    notMapped: 'svc runs no SpamAssassin',
  },
  {
    route: 'GET /api/v1/message/{id}/rspamd-check',
    requests: [{ path: '/api/v1/message/{1}/rspamd-check' }],
    notMapped: 'svc runs no Rspamd',
  },
  {
    route: 'POST /api/v1/message/{id}/release',
    requests: [
      { method: 'POST', path: '/api/v1/message/{1}/release', body: {} },
      { method: 'POST', path: '/api/v1/message/{1}/release', body: { To: ['ada@example.test'] } },
      { method: 'POST', path: '/api/v1/message/none/release', body: { To: ['ada@example.test'] } },
    ],
    differs: TEXTS,
  },
  {
    route: 'GET /view/{id}.html',
    requests: ['{1}', '{2}', '{4}', '{0}', 'none'].map((id) => ({ path: `/view/${id}.html` })),
    differs: { '(text)': 'inline images are in the page, and svc words errors itself' },
  },
  {
    route: 'GET /view/{id}.txt',
    requests: ['{0}', '{2}', 'none'].map((id) => ({ path: `/view/${id}.txt` })),
    differs: TEXTS,
  },
  {
    route: 'GET /view/latest',
    requests: [{ path: '/view/latest' }],
    differs: { type: 'it opens the web inbox of svc', '(text)': 'it opens the web inbox of svc' },
  },
  {
    route: 'GET /api/v1/info',
    requests: [{ path: '/api/v1/info' }],
    differs: { Version: INFO, Database: INFO, DatabaseSize: INFO, RuntimeStats: INFO },
  },
  { route: 'GET /api/v1/webui', requests: [{ path: '/api/v1/webui' }] },
  {
    route: 'GET /api/v1/chaos',
    requests: [{ path: '/api/v1/chaos' }],
  },
  {
    route: 'PUT /api/v1/chaos',
    requests: [
      { Sender: { ErrorCode: 452, Probability: 50 } },
      { Recipient: { ErrorCode: 399, Probability: 1 } },
      { Sender: { Probability: 101 } },
      'nonsense',
      {},
    ].map((body) => ({ method: 'PUT', path: '/api/v1/chaos', body })),
    differs: TEXTS,
  },
  {
    route: 'PUT /api/v1/tags',
    requests: [
      {
        method: 'PUT',
        path: '/api/v1/tags',
        body: { IDs: ['{1}', '{2}', '{9}'], Tags: ['Welcome', 'two words', 'we!come', 'welcome'] },
      },
      { method: 'PUT', path: '/api/v1/tags', body: { ids: ['{3}'], tags: ['Invoice'] } },
      { method: 'PUT', path: '/api/v1/tags', body: { IDs: [], Tags: ['unused'] } },
      { method: 'PUT', path: '/api/v1/tags', body: { IDs: 'x' } },
      { path: '/api/v1/messages?start=190' },
    ],
    differs: { ...TEXTS, ...IN_LIST },
  },
  { route: 'GET /api/v1/tags', requests: [{ path: '/api/v1/tags' }] },
  {
    route: 'PUT /api/v1/tags/{tag}',
    requests: [
      { method: 'PUT', path: '/api/v1/tags/two%20words', body: { Name: 'Three words' } },
      { method: 'PUT', path: '/api/v1/tags/none', body: { Name: 'other' } },
      { method: 'PUT', path: '/api/v1/tags/Welcome', body: { Name: 'Invoice' } },
      { method: 'PUT', path: '/api/v1/tags/Welcome', body: { Name: '!' } },
      { path: '/api/v1/tags' },
    ],
    differs: TEXTS,
  },
  {
    route: 'DELETE /api/v1/tags/{tag}',
    requests: [
      { method: 'DELETE', path: '/api/v1/tags/Invoice' },
      { method: 'DELETE', path: '/api/v1/tags/none' },
      { path: '/api/v1/tags' },
    ],
  },
  {
    route: 'PUT /api/v1/messages',
    requests: [
      { method: 'PUT', path: '/api/v1/messages', body: { IDs: ['{5}', '{6}', 'none'], Read: true } },
      { method: 'PUT', path: '/api/v1/messages', body: { Search: 'subject:invoice', Read: true } },
      { method: 'PUT', path: '/api/v1/messages', body: { Search: 'x', IDs: ['{1}'] } },
      { method: 'PUT', path: '/api/v1/messages', body: 'nonsense' },
      { path: '/api/v1/search?query=is:unread&limit=100' },
      { method: 'PUT', path: '/api/v1/messages', body: {} },
      { path: '/api/v1/search?query=is:read' },
    ],
    differs: { ...TEXTS, ...IN_LIST },
  },
  {
    route: 'DELETE /api/v1/search',
    requests: [
      { method: 'DELETE', path: '/api/v1/search' },
      { method: 'DELETE', path: '/api/v1/search?query=subject:invoice' },
      { path: '/api/v1/messages?limit=200' },
    ],
    differs: IN_LIST,
  },
  {
    route: 'DELETE /api/v1/messages',
    requests: [
      { method: 'DELETE', path: '/api/v1/messages', body: { IDs: ['{1}', 'none'] } },
      { method: 'DELETE', path: '/api/v1/messages', body: '[' },
      { path: '/api/v1/messages?limit=5' },
      { method: 'DELETE', path: '/api/v1/messages' },
      { path: '/api/v1/messages' },
      { path: '/api/v1/message/latest' },
    ],
    differs: { ...TEXTS, ...IN_LIST },
  },
  {
    route: 'POST /api/v1/send',
    requests: [
      {
        From: { Name: 'Shop', Email: 'shop@example.test' },
        To: [{ Name: 'Ada', Email: 'ada@example.test' }],
        Cc: [{ Email: 'bob@example.test' }],
        Bcc: ['hidden@example.test'],
        ReplyTo: [{ Email: 'reply@example.test' }],
        Subject: 'Grüße',
        Text: 'Hello',
        HTML: '<p>Hello</p>',
        Tags: ['one', 'two'],
        Headers: { 'X-Order': '42' },
        Attachments: [{ Filename: 'a.txt', Content: 'aGVsbG8=' }],
      },
      ...['Hi', ''].map((Text) => ({
        From: { Email: 'a@example.test' },
        To: [{ Email: 'b@example.test' }],
        Text,
      })),
      { From: { Email: 'a@example.test' }, To: [{ Email: 'nonsense' }] },
      { From: { Email: 'a@example.test' }, To: [{ Email: 'b@example.test' }], Headers: { To: 'x' } },
      { From: { Email: 'a@example.test' }, To: [{ Email: 'b@example.test' }], Attachments: [{ Content: '!' }] },
      'nonsense',
    ]
      .map((body) => ({ method: 'POST', path: '/api/v1/send', body }))
      .flatMap((sent) => [sent, { method: 'GET', path: '/api/v1/message/latest', body: undefined }]),
    differs: { Error: 'svc words errors itself', ...SIZE, 'Attachments.*.PartID': PART },
  },
  {
    // After the message with links was sent.
    route: 'GET /api/v1/message/{id}/link-check',
    requests: [
      { path: '/api/v1/message/{6}/link-check' },
      { method: 'POST', path: '/api/v1/send', body: { ...LINKS } },
      { path: '/api/v1/message/latest/link-check' },
      { path: '/api/v1/message/latest/link-check?follow=true' },
      { path: '/api/v1/message/none/link-check' },
    ],
    differs: { 'Links.*.Status': 'svc words errors itself' },
  },
  {
    route: 'GET /api/v1/message/{id}/link-check of images',
    requests: [
      { method: 'POST', path: '/api/v1/send', body: { ...LINKS, HTML: '<img src="{receiver}/logo.png">' } },
      { path: '/api/v1/message/latest/link-check' },
    ],
    differs: { 'Links.*': 'svc requests no images' },
  },
  { route: 'GET /livez', requests: [{ path: '/livez' }] },
  { route: 'GET /readyz', requests: [{ path: '/readyz' }] },
  {
    route: 'GET /api/v1/swagger.json',
    requests: [{ path: '/api/v1/swagger.json' }],
    notMapped: 'this page describes the API',
  },
  {
    route: 'GET /api/events without Upgrade',
    requests: [{ path: '/api/events' }],
  },
];

/** The words of searches, with queries for each, and how it differs. */
export const queryCases: { word: string; queries: string[]; differs?: string }[] = [
  {
    word: 'text',
    queries: [
      'password',
      'PASSWORD',
      'köln',
      'code 493817',
      '"your code is"',
      'report-3.pdf',
      'way',
      'Lovelace',
      'support@shop',
      'shop.example.com',
    ],
    differs: 'svc also searches the plain text of an email with HTML, and the text of images',
  },
  { word: '-text, !text', queries: ['-password', '!password', 'welcome -ada', '-"reset your"'] },
  {
    word: 'to:',
    queries: [
      'to:ada',
      'to:ada@example.test',
      'to:"Ada Lovelace"',
      'to:müller',
      '-to:ada',
      'to:smith',
      'to:hidden1',
      'to:',
    ],
  },
  { word: 'from:', queries: ['from:billing', 'from:shop.example.com', 'from:Zoë', '!from:ada'] },
  { word: 'cc:', queries: ['cc:ada', 'cc:example.test', '-cc:example'] },
  { word: 'bcc:', queries: ['bcc:hidden', 'bcc:hidden1@example.test', '-bcc:hidden'] },
  { word: 'reply-to:', queries: ['reply-to:support', '-reply-to:support@shop.example.com'] },
  { word: 'addressed:', queries: ['addressed:ada', 'addressed:hidden2', '-addressed:zoe'] },
  {
    word: 'subject:',
    queries: [
      'subject:invoice',
      'subject:"Invoice 2026"',
      'subject:grüße',
      'subject:100%',
      '-subject:welcome',
      'subject:2026_',
    ],
  },
  { word: 'message-id:', queries: ['message-id:case-12', 'message-id:case-12@mail.example.test'] },
  { word: 'tag:', queries: ['tag:Welcome', 'tag:welcome', 'tag:"two words"', '-tag:welcome', 'tag:none'] },
  { word: 'is:read, is:unread', queries: ['is:read', 'is:unread', '-is:read', 'IS:UNREAD'] },
  { word: 'is:tagged', queries: ['is:tagged', '-is:tagged'] },
  { word: 'has:attachment', queries: ['has:attachment', 'has:attachments', '-has:attachment'] },
  { word: 'has:inline', queries: ['has:inline', 'has:inlines', '!has:inline'] },
  {
    word: 'before:, after:',
    queries: [
      'after:2020-01-01',
      'before:2020-01-01',
      'before:"2035-01-01 10:00"',
      '-after:2020/01/02',
      'after:nonsense',
    ],
  },
  {
    word: 'larger:, smaller:',
    queries: ['larger:2k', 'smaller:2k', 'larger:1m', '-larger:1.5kb', 'larger:nonsense'],
    differs: 'sizes are those of the message as it was received',
  },
];
