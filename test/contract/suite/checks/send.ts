import assert from 'node:assert/strict';
import { type Check, check } from '../check.js';
import { exactly, receipt, rowsOf } from '../shapes.js';

/** Checks POST /emails. */

const invalid = { status: 422, code: 'validation_error' };
const MiB = 1024 * 1024;
const DAY = 86_400_000;

const attachment = (fields: Record<string, unknown> = {}) => ({
  filename: 'note.txt',
  content: Buffer.from('hello').toString('base64'),
  contentType: 'text/plain',
  ...fields,
});

/** Lists for each field the values it refuses: wrong types first, then wrong values. */
const REFUSED: Record<string, unknown[]> = {
  to: [null, 7, true, {}, [], '', [''], [null], [7], [['ada@example.test']], 'ada', 'ada@', '@example.test'],
  from: [null, 7, true, {}, [], ['shop@example.test'], '', 'shop', 'shop@', 'a@example.test, b@example.test'],
  subject: [
    null,
    7,
    true,
    {},
    ['x'],
    'two\nlines',
    'two\r\nlines',
    'a\u0000b',
    'a\u0007b',
    'a\u0085b',
    'a\u009fb',
    'a\u2028b',
    'a\u2029b',
    '',
    ' ',
  ],
  html: [null, 7, true, {}, ['x'], '', ' \n', '\u200b'],
  text: [null, 7, true, {}, ['x']],
  cc: [null, 7, true, {}, [''], [null], 'nobody'],
  bcc: [null, 7, true, {}, [''], [null], 'nobody'],
  reply_to: [null, 7, true, {}, ['a@example.test'], '', 'nobody', 'a@example.test, b@example.test'],
  attachments: [null, 7, true, {}, 'x', [null], ['x'], [{}]],
  template_id: [null, 7, true, {}, ['x'], ''],
  variables: [null, 7, true, 'x', [], ['x']],
  tags: [null, 7, true, {}, 'x', [null], [7], [''], [['x']], ['a\nb'], [' '], [' a'], ['a '], ['a,b'], ['\u200b']],
  track_opens: [null, 0, 1, 'true', 'false', {}, []],
  track_clicks: [null, 0, 1, 'true', 'false', {}, []],
  scheduled_at: [null, 7, true, {}, [], '', 'tomorrow', '2099-01-01'],
};

const MUST_BE_VISIBLE = new Set(['subject', 'html', 'tags']);

const ADDRESSES = {
  taken: [
    'ada@example.test',
    'Ada@Example.Test',
    'Ada <ada@example.test>',
    'Ada Lovelace <ada@example.test>',
    '"Lovelace, Ada" <ada@example.test>',
    '"say \\"hi\\"" <ada@example.test>',
    'ada+tag@example.test',
    "o'brien@example.test",
    'ada@münchen.test',
    'ada@xn--mnchen-3ya.test',
    `${'a'.repeat(64)}@example.test`,
    `${'a'.repeat(64)}@${['b', 'c', 'd'].map((letter) => letter.repeat(61)).join('.')}.com`,
    'grüße@example.test',
    'Grüße aus Köln <ada@example.test>',
    '日本 <ada@example.test>',
    '"quoted local"@example.test',
    '<ada@example.test>',
  ],
  refused: [
    'ada',
    '@example.test',
    'ada@',
    'ada@@example.test',
    'ada@example..test',
    'ada@-example.test',
    '.ada@example.test',
    'ada.@example.test',
    'a..b@example.test',
    'ada @example.test',
    'a@example.test, b@example.test',
    'a@example.test; b@example.test',
    'a@example.test b@example.test',
    'Ada <ada@example.test',
    'Ada ada@example.test>',
    'Ada <>',
    'ada@example.test\r\nBcc: x@example.test',
    'Ada\n <ada@example.test>',
    'ada\u0000@example.test',
    'Ada\u007f <ada@example.test>',
    `${'a'.repeat(65)}@example.test`,
    `${'ä'.repeat(33)}@example.test`,
    `${'a'.repeat(64)}@${['b', 'c', 'd'].map((letter) => letter.repeat(61)).join('.')}.info`,
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@example.123',
    'ada@my_host.test',
    'ada@xn--a.test',
    'ada@ｅｘａｍｐｌｅ.test',
    ' ada@example.test',
    'ada@example.test ',
    'Ada < ada@example.test >',
    'a\ufeffda@example.test',
    'a\u00adda@example.test',
    'Ada\u202e <ada@example.test>',
    'Ada\u2028 <ada@example.test>',
  ],
};

export const checks: Check[] = [
  check(
    ['spec:POST /emails', ...rowsOf('spec:email.receipt', receipt), 'spec:id.email', 'spec:status.201', 'gap:9'],
    'returns 201 with exactly the send response form',
    async (api) => {
      const to = api.address();
      const data = await api.send({ to, subject: 'Receipt', tags: ['a', 'b'] });
      exactly(receipt)(data, 'data');
      const { id: _, created_at: at, ...rest } = data;
      assert.deepEqual(rest, {
        to,
        from: 'shop@example.test',
        subject: 'Receipt',
        status: 'sent',
        scheduled_at: null,
        tags: ['a', 'b'],
      });
      assert.ok(Math.abs(Date.parse(at) - (await api.now())) < 60_000);
    },
  ),

  check(['spec:transition.send'], 'reports an accepted email as sent in the response', async (api) => {
    assert.equal((await api.send()).status, 'sent');
  }),

  ...Object.entries(REFUSED).map(([field, values]) =>
    check(
      [`spec:send.${field}`, 'spec:status.422', ...(MUST_BE_VISIBLE.has(field) ? ['gap:43'] : [])],
      `answers 422 to wrong types, null and wrong values of ${field}`,
      async (api) => {
        for (const value of values) {
          const body = api.mail({ [field]: value });
          if (field === 'template_id') delete body.html;
          const error = await api.refused(invalid, 'POST', '/emails', body);
          const paths: string[] = error.details.map(({ path }: { path: string }) => path);
          const named = paths.some((path) => path === field || path.startsWith(`${field}.`));
          assert.ok(named, `${field} = ${JSON.stringify(value)}: details name ${paths}`);
        }
      },
    ),
  ),

  check(['spec:send.to', 'spec:send.from'], 'requires to and from', async (api) => {
    for (const field of ['to', 'from']) {
      const body = api.mail();
      delete body[field];
      await api.refused({ ...invalid, at: field }, 'POST', '/emails', body);
    }
    const error = await api.refused(invalid, 'POST', '/emails', {});
    const paths = error.details.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths.sort(), ['from', 'html', 'subject', 'to'], 'every missing field is named at once');
  }),

  check(
    ['spec:send.to', 'spec:send.cc', 'spec:send.bcc', 'gap:4'],
    'creates one email from one POST with several recipients; to is the addresses joined by ", "',
    async (api) => {
      const to = [`Ada <${api.address()}>`, api.address()];
      const data = await api.send({ to, cc: api.address(), bcc: [api.address(), api.address()] });
      assert.equal(data.to, to.join(', '));
      assert.equal((await api.ok(200, 'GET', `/emails/${data.id}`)).to, to.join(', '));
      const listed = await api.ok(200, 'GET', `/emails?to=${encodeURIComponent(to[1] ?? '')}`);
      assert.deepEqual(
        listed.emails.map((one: { id: string; to: string }) => [one.id, one.to]),
        [[data.id, to.join(', ')]],
      );
    },
  ),

  check(
    ['spec:send.to', 'spec:send.cc', 'spec:send.bcc'],
    'accepts a string or an array of strings for each',
    async (api) => {
      for (const field of ['to', 'cc', 'bcc']) {
        await api.send({ [field]: api.address() });
        await api.send({ [field]: [api.address()] });
        await api.send({ [field]: [api.address(), api.address()] });
      }
      await api.send({ cc: [], bcc: [] });
    },
  ),

  check(['spec:send.reply_to'], 'accepts one address as reply_to', async (api) => {
    await api.send({ reply_to: 'help@example.test' });
    await api.send({ reply_to: 'Help <help@example.test>' });
  }),

  check(
    ['gap:36', 'spec:send.to', 'spec:send.from'],
    'accepts addresses as user@host and Name <user@host>, one per string',
    async (api) => {
      for (const address of ADDRESSES.taken) {
        assert.equal((await api.send({ to: address })).to, address);
        assert.equal((await api.send({ from: address })).from, address);
        await api.send({ cc: [address], bcc: address, reply_to: address });
      }
      for (const address of ADDRESSES.refused) {
        for (const field of ['to', 'from', 'cc', 'bcc', 'reply_to']) {
          await api.refused({ ...invalid, at: field }, 'POST', '/emails', api.mail({ [field]: address }));
        }
        await api.refused(
          { ...invalid, at: 'to.1' },
          'POST',
          '/emails',
          api.mail({ to: ['ok@example.test', address] }),
        );
      }
    },
  ),

  check(
    ['spec:send.rule.html-or-template', 'spec:send.html', 'gap:6'],
    'requires either html or template_id; answers 422 to text alone, or neither',
    async (api) => {
      const { html: _, ...none } = api.mail();
      await api.refused({ ...invalid, at: 'html' }, 'POST', '/emails', none);
      await api.refused({ ...invalid, at: 'html' }, 'POST', '/emails', { ...none, text: 'Hello' });
      const { id } = await api.template();
      const byTemplate = { ...none, template_id: id, variables: { name: 'Ada' } };
      await api.ok(201, 'POST', '/emails', byTemplate);
      await api.refused({ ...invalid, at: 'html' }, 'POST', '/emails', { ...byTemplate, html: '<p>x</p>' });
      await api.refused({ ...invalid, at: 'text' }, 'POST', '/emails', { ...byTemplate, text: 'x' });
    },
  ),

  check(
    ['spec:send.rule.subject-from-template', 'spec:send.subject', 'gap:6'],
    'uses the subject of the template unless one is given; requires it without a template',
    async (api) => {
      const { id } = await api.template();
      const body = { to: api.address(), from: 'shop@example.test', template_id: id, variables: { name: 'Ada' } };
      assert.equal((await api.ok(201, 'POST', '/emails', body)).subject, 'Hello Ada');
      assert.equal((await api.ok(201, 'POST', '/emails', { ...body, subject: 'Mine' })).subject, 'Mine');
      const { subject: _, ...none } = api.mail();
      await api.refused({ ...invalid, at: 'subject' }, 'POST', '/emails', none);
    },
  ),

  check(
    ['spec:send.template_id', 'spec:code.template_not_found', 'gap:1'],
    'accepts only a tpl_ id as template_id',
    async (api) => {
      const { id, name } = await api.template();
      const { html: _, ...body } = api.mail({ variables: { name: 'Ada' } });
      assert.equal((await api.ok(201, 'POST', '/emails', { ...body, template_id: id })).subject, 'Hello');
      for (const template_id of [name, 'tpl_unknown', `${id}x`, id.toUpperCase(), `msg_${id.slice(4)}`]) {
        await api.refused({ status: 404, code: 'template_not_found' }, 'POST', '/emails', { ...body, template_id });
      }
      await api.ok(204, 'DELETE', `/templates/${id}`);
      await api.refused({ status: 404, code: 'template_not_found' }, 'POST', '/emails', { ...body, template_id: id });
    },
  ),

  check(
    [
      'spec:send.variables',
      'spec:email.detail.variables',
      'spec:email.detail.template_id',
      'spec:code.invalid_variables',
      'gap:8',
    ],
    'fills the template with variables; a missing or unusable one is invalid_variables and nothing is sent',
    async (api) => {
      const { id } = await api.template({
        subject: '{{greeting}} {{ name }}',
        html: '<p>{{name}}</p>',
        text: '{{name}} {{n}} {{yes}}',
      });
      const to = api.address();
      const body = { to, from: 'shop@example.test', template_id: id };
      const error = await api.refused({ status: 422, code: 'invalid_variables' }, 'POST', '/emails', {
        ...body,
        variables: { name: 'Ada' },
      });
      for (const missing of ['greeting', 'n', 'yes']) assert.match(error.message, new RegExp(missing));
      for (const name of [null, [], {}, ['x']]) {
        const variables = { greeting: 'Hi', n: 1, yes: true, name };
        await api.refused({ status: 422, code: 'invalid_variables' }, 'POST', '/emails', { ...body, variables });
      }
      await api.refused({ status: 422, code: 'invalid_variables' }, 'POST', '/emails', body);
      const broken = { greeting: 'Hi\r\nBcc: x@example.test', n: 1, yes: true, name: 'Ada' };
      await api.refused({ status: 422, code: 'invalid_variables' }, 'POST', '/emails', { ...body, variables: broken });
      assert.deepEqual(await api.idsListed(`to=${to}`), []);
      const variables = { greeting: 'Hi', name: '<b>&"\'', n: 1.5, yes: false, extra: 'ignored' };
      const sent = await api.ok(201, 'POST', '/emails', { ...body, variables });
      const detail = await api.ok(200, 'GET', `/emails/${sent.id}`);
      assert.equal(detail.subject, 'Hi <b>&"\'');
      assert.equal(detail.html, '<p>&lt;b&gt;&amp;&quot;&#39;</p>');
      assert.equal(detail.text, '<b>&"\' 1.5 false');
      assert.equal(detail.template_id, id);
      assert.deepEqual(detail.variables, variables);
    },
  ),

  check(
    ['gap:8', 'spec:send.variables'],
    'treats a variable named __proto__ or constructor like any other',
    async (api) => {
      const headers = { 'content-type': 'application/json' };
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const { id } = await api.template({ subject: 's', html: `<p>{{${name}}}</p>`, text: '' });
        const body = `{"to":"a@example.test","from":"b@example.test","template_id":"${id}","variables":{"${name}":"v"}}`;
        const sent = await api.ok(201, 'POST', '/emails', body, { headers });
        assert.equal((await api.ok(200, 'GET', `/emails/${sent.id}`)).html, '<p>v</p>', name);
        await api.refused({ status: 422, code: 'invalid_variables' }, 'POST', '/emails', {
          to: 'a@example.test',
          from: 'b@example.test',
          template_id: id,
          variables: {},
        });
      }
    },
  ),

  check(
    ['spec:send.attachments', 'gap:12'],
    'requires filename, base64 content and contentType of each attachment',
    async (api) => {
      await api.send({ attachments: [] });
      await api.send({
        attachments: [attachment(), attachment({ filename: 'größe 日本.pdf', contentType: 'application/pdf' })],
      });
      await api.send({ attachments: [attachment({ contentType: 'text/plain; charset=utf-8' })] });
      const refused: Record<string, unknown[]> = {
        filename: [
          undefined,
          null,
          7,
          '',
          ' ',
          'a\nb',
          'a\u0000b',
          {},
          [],
          '.',
          '..',
          '../a',
          'a/b',
          'C:\\a',
          'a'.repeat(256),
        ],
        content: [
          undefined,
          null,
          7,
          {},
          [],
          '',
          'nope!',
          'YQ',
          'YQ=',
          'Y Q=',
          'YQ==\n',
          'QR==',
          'data:text/plain;base64,YQ==',
        ],
        contentType: [undefined, null, 7, '', 'text', 'text/', '/plain', 'text/plain\r\nX: y', {}, []],
      };
      for (const [field, values] of Object.entries(refused)) {
        for (const value of values) {
          const body = api.mail({ attachments: [attachment(), attachment({ [field]: value })] });
          await api.refused({ ...invalid, at: `attachments.1.${field}` }, 'POST', '/emails', body);
        }
      }
    },
  ),

  check(
    ['gap:34', 'spec:send.attachments'],
    'accepts attachments of 25 MiB decoded in total, and not one byte more',
    async (api) => {
      const half = (bytes: number) => attachment({ content: Buffer.alloc(bytes, 1).toString('base64') });
      await api.send({ attachments: [half(20 * MiB), half(5 * MiB)] });
      const over = api.mail({ attachments: [half(20 * MiB), half(5 * MiB + 1)] });
      await api.refused({ ...invalid, at: 'attachments' }, 'POST', '/emails', over);
    },
  ),

  check(
    ['gap:34', 'spec:send.to'],
    'accepts 1,000 recipients, to, cc and bcc together; answers 422 to 1,001',
    async (api) => {
      const word = api.unique('r');
      const many = (count: number, from = 0) =>
        Array.from({ length: count }, (_, n) => `${word}-${from + n}@example.test`);
      // Scheduled, so that no thousand deliveries are reported.
      const scheduled_at = new Date((await api.now()) + 3_600_000).toISOString();
      await api.send({ to: many(1_000), scheduled_at });
      await api.send({ to: many(400), cc: many(300, 400), bcc: many(300, 700), scheduled_at });
      await api.refused(invalid, 'POST', '/emails', api.mail({ to: many(1_001) }));
      await api.refused(
        invalid,
        'POST',
        '/emails',
        api.mail({ to: many(401), cc: many(300, 401), bcc: many(300, 701) }),
      );
    },
  ),

  check(['gap:34', 'spec:send.attachments'], 'accepts a file name of 255 bytes, and not one byte more', async (api) => {
    await api.send({ attachments: [attachment({ filename: `a${'é'.repeat(127)}` })] });
    const over = api.mail({ attachments: [attachment({ filename: 'é'.repeat(128) })] });
    await api.refused({ ...invalid, at: 'attachments.0.filename' }, 'POST', '/emails', over);
  }),

  check(
    ['gap:34', 'spec:send.tags'],
    'accepts 50 tags of 256 characters; answers 422 to 51, or to one of 257',
    async (api) => {
      const tags = Array.from({ length: 50 }, (_, n) => `${n}-`.padEnd(256, 'x'));
      assert.deepEqual((await api.send({ tags })).tags, tags);
      await api.refused({ ...invalid, at: 'tags' }, 'POST', '/emails', api.mail({ tags: [...tags, 'one'] }));
      await api.refused({ ...invalid, at: 'tags.0' }, 'POST', '/emails', api.mail({ tags: ['x'.repeat(257)] }));
      assert.deepEqual((await api.send({ tags: [] })).tags, []);
      // A character beyond the basic plane counts once.
      await api.send({ tags: ['🎉'.repeat(256)] });
      await api.refused({ ...invalid, at: 'tags.0' }, 'POST', '/emails', api.mail({ tags: ['🎉'.repeat(257)] }));
    },
  ),

  check(
    ['gap:34', 'spec:send.subject'],
    'accepts a subject of 998 characters; answers 422 to 999, also from a template',
    async (api) => {
      assert.equal((await api.send({ subject: 's'.repeat(998) })).subject.length, 998);
      await api.refused({ ...invalid, at: 'subject' }, 'POST', '/emails', api.mail({ subject: 's'.repeat(999) }));
      const { id } = await api.template({ subject: '{{name}}' });
      const byTemplate = (name: string) => ({
        to: api.address(),
        from: 'a@example.test',
        template_id: id,
        variables: { name },
      });
      await api.ok(201, 'POST', '/emails', byTemplate('s'.repeat(998)));
      await api.refused(invalid, 'POST', '/emails', byTemplate('s'.repeat(999)));
      // A character beyond the basic plane counts once.
      await api.send({ subject: '🎉'.repeat(998) });
      await api.refused({ ...invalid, at: 'subject' }, 'POST', '/emails', api.mail({ subject: '🎉'.repeat(999) }));
      await api.ok(201, 'POST', '/emails', byTemplate('🎉'.repeat(998)));
      await api.refused(invalid, 'POST', '/emails', byTemplate('🎉'.repeat(999)));
    },
  ),

  check(
    ['spec:send.subject', 'spec:send.html', 'spec:send.text'],
    'keeps text of any language as it was sent',
    async (api) => {
      const subject = 'Grüße 日本 🎉 عربى';
      const html = '<p>\u2028 🎉 \u0000 日本</p>\r\n<script>x</script>';
      const text = 'Zeile 1\r\nZeile 2\n\t🎉 ﷽ \ud83d\ude00';
      const { id } = await api.send({ subject, html, text, tags: ['größe', '日本'] });
      const detail = await api.ok(200, 'GET', `/emails/${id}`);
      assert.deepEqual(
        [detail.subject, detail.html, detail.text, detail.tags],
        [subject, html, text, ['größe', '日本']],
      );
    },
  ),

  check(
    ['spec:send.track_opens', 'spec:send.track_clicks'],
    'accepts booleans as tracking flags, which are optional',
    async (api) => {
      for (const flags of [
        {},
        { track_opens: true, track_clicks: true },
        { track_opens: false, track_clicks: false },
      ]) {
        const html = '<p><a href="https://example.com/x">x</a></p>';
        const { id } = await api.send({ html, ...flags });
        assert.equal(
          (await api.ok(200, 'GET', `/emails/${id}`)).html,
          html,
          'the stored original stays as it was sent',
        );
      }
    },
  ),

  check(
    ['spec:send.scheduled_at', 'spec:email.receipt.scheduled_at', 'gap:2', 'gap:35'],
    'schedules an email with scheduled_at instead of sending it; returns the instant in UTC',
    async (api) => {
      const at = new Date((await api.now()) + 3_600_000);
      const data = await api.send({ scheduled_at: at.toISOString() });
      assert.equal(data.status, 'scheduled');
      assert.equal(data.scheduled_at, at.toISOString());
      const detail = await api.ok(200, 'GET', `/emails/${data.id}`);
      assert.deepEqual([detail.status, detail.sent_at, detail.delivered_at], ['scheduled', null, null]);
      const shifted = `${new Date(at.getTime() + 2 * 3_600_000).toISOString().slice(0, 19)}+02:00`;
      const offset = await api.send({ scheduled_at: shifted });
      assert.equal(Date.parse(offset.scheduled_at), Math.floor(at.getTime() / 1000) * 1000);
    },
  ),

  check(
    ['gap:35', 'spec:send.scheduled_at'],
    'requires scheduled_at later than now, at most 365 days ahead, with an offset',
    async (api) => {
      const now = await api.now();
      const iso = (instant: number) => new Date(instant).toISOString();
      await api.send({ scheduled_at: iso(now + 60_000) });
      await api.send({ scheduled_at: iso(now + 365 * DAY - 60_000) });
      const refused = [
        iso(now),
        iso(now - 1_000),
        iso(now - 365 * DAY),
        iso(now + 365 * DAY + 60_000),
        iso(now + DAY).slice(0, 10),
        iso(now + DAY).slice(0, 19),
        iso(now + DAY).replace('T', ' '),
        String(now + DAY),
        iso(now + DAY).replace('Z', '+0200'),
        iso(now + DAY).replace(/T\d\d/, 'T25'),
        iso(now + DAY).replace(/T.*/, 'T24:00:00Z'),
        iso(now + DAY).replace(/:\d\d\.\d+Z/, 'Z'),
        iso(now + DAY).replace('Z', '+24:00'),
        iso(now + DAY).replace(/-\d\dT/, '-32T'),
        iso(now + DAY).replace(/-\d\d-\d\dT/, '-02-30T'),
        'Mon, 01 Jan 2035 00:00:00 GMT',
      ];
      for (const scheduled_at of refused) {
        await api.refused({ ...invalid, at: 'scheduled_at' }, 'POST', '/emails', api.mail({ scheduled_at }));
      }
    },
  ),

  check(['gap:35', 'spec:send.scheduled_at'], 'renders the template when the request is accepted', async (api) => {
    const { id } = await api.template();
    const scheduled_at = new Date((await api.now()) + 3_600_000).toISOString();
    const body = {
      to: api.address(),
      from: 'a@example.test',
      template_id: id,
      variables: { name: 'Ada' },
      scheduled_at,
    };
    const sent = await api.ok(201, 'POST', '/emails', body);
    await api.ok(200, 'PATCH', `/templates/${id}`, { subject: 'Later', html: '<p>later</p>' });
    await api.ok(204, 'DELETE', `/templates/${id}`);
    const detail = await api.ok(200, 'GET', `/emails/${sent.id}`);
    assert.deepEqual([detail.subject, detail.html, detail.template_id], ['Hello Ada', '<p>Hello Ada</p>', id]);
  }),

  check(['spec:code.validation_error', 'spec:status.422'], 'does not store a refused email', async (api) => {
    const to = api.address();
    await api.refused(invalid, 'POST', '/emails', api.mail({ to, tags: [7] }));
    assert.deepEqual(await api.idsListed(`to=${to}`), []);
  }),
];
