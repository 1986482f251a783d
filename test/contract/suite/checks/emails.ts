import assert from 'node:assert/strict';
import type { Api } from '../api.js';
import { type Check, check } from '../check.js';
import { detail, exactly, pagination, rowsOf, summary, summaryOnceDelivered } from '../shapes.js';

/** Checks GET /emails, GET /emails/{id} and DELETE /emails/{id}. */

const bad = { status: 400, code: 'validation_error' };
const unknown = { status: 404, code: 'not_found' };

const scheduledMail = async (api: Api, fields: Record<string, unknown> = {}) =>
  api.send({ scheduled_at: new Date((await api.now()) + 3_600_000).toISOString(), ...fields });

export const checks: Check[] = [
  check(
    ['spec:GET /emails/{id}', ...rowsOf('spec:email.detail', detail), 'spec:status.200', 'gap:5', 'gap:9'],
    'returns exactly the detail form, of a sent and of a delivered email',
    async (api) => {
      const { id } = await api.send({ tags: ['x'] });
      const early = await api.ok(200, 'GET', `/emails/${id}`);
      exactly(detail)(early, 'data');
      assert.equal(early.opened_at, null);
      await api.untilDelivered(id);
      const late = await api.ok(200, 'GET', `/emails/${id}`);
      exactly(detail)(late, 'data');
      assert.equal(late.status, 'delivered');
      assert.ok(late.created_at <= late.sent_at && late.sent_at <= late.delivered_at);
      const { status, text, opens_count, clicks_count, tags, bounce_reason, template_id, variables } = late;
      assert.deepEqual(
        { status, text, opens_count, clicks_count, tags, bounce_reason, template_id, variables },
        {
          status: 'delivered',
          text: '',
          opens_count: 0,
          clicks_count: 0,
          tags: ['x'],
          bounce_reason: null,
          template_id: null,
          variables: null,
        },
      );
    },
  ),

  check(
    ['gap:5'],
    'returns empty text and html if they were not given, and null sent_at, delivered_at, opened_at until they happen',
    async (api) => {
      const { id } = await scheduledMail(api);
      const email = await api.ok(200, 'GET', `/emails/${id}`);
      assert.deepEqual([email.text, email.sent_at, email.delivered_at, email.opened_at], ['', null, null, null]);
    },
  ),

  check(
    [
      'spec:GET /emails',
      ...rowsOf('spec:email.summary', summary, summaryOnceDelivered),
      ...rowsOf('spec:pagination', pagination),
      'gap:5',
    ],
    'lists emails in exactly the summary form, with pagination; delivered_at only once delivered',
    async (api) => {
      const tag = api.unique('tag');
      const waiting = await scheduledMail(api, { tags: [tag] });
      const delivered = await api.sendAndDeliver({ tags: [tag] });
      const data = await api.ok(200, 'GET', `/emails?tags=${tag}`);
      exactly({
        emails: (list) => {
          for (const one of list as unknown[]) exactly(summary, summaryOnceDelivered)(one, 'emails[]');
        },
        pagination: exactly(pagination),
      })(data, 'data');
      assert.deepEqual(data.emails, [
        {
          id: delivered.id,
          to: delivered.to,
          from: delivered.from,
          subject: delivered.subject,
          status: 'delivered',
          created_at: delivered.created_at,
          delivered_at: delivered.delivered_at,
        },
        {
          id: waiting.id,
          to: waiting.to,
          from: waiting.from,
          subject: waiting.subject,
          status: 'scheduled',
          created_at: waiting.created_at,
        },
      ]);
    },
  ),

  check(
    [
      'spec:list.limit',
      'spec:list.offset',
      ...rowsOf('spec:pagination', pagination),
      'spec:limits.pagination',
      'gap:19',
    ],
    'pages through every email once, newest first, with correct total and has_more, and an empty page past the end',
    async (api) => {
      const tag = api.unique('tag');
      const ids: string[] = [];
      for (let n = 0; n < 7; n += 1) ids.unshift((await api.send({ tags: [tag] })).id);
      const page = async (limit: number, offset: number) =>
        api.ok(200, 'GET', `/emails?tags=${tag}&limit=${limit}&offset=${offset}`);
      for (const [limit, offset, has_more] of [
        [3, 0, true],
        [3, 3, true],
        [3, 6, false],
        [6, 0, true],
        [7, 0, false],
        [100, 0, false],
        [1, 6, false],
        [1, 5, true],
        [3, 7, false],
        [3, 1_000_000, false],
      ] as const) {
        const { emails, pagination: found } = await page(limit, offset);
        assert.deepEqual(
          emails.map(({ id }: { id: string }) => id),
          ids.slice(offset, offset + limit),
        );
        assert.deepEqual(found, { total: 7, limit, offset, has_more });
      }
    },
  ),

  check(
    ['spec:list.limit', 'spec:limits.pagination'],
    'accepts a limit of 1 to 100, 20 by default; answers 400 to anything else',
    async (api) => {
      assert.equal((await api.ok(200, 'GET', '/emails')).pagination.limit, 20);
      assert.equal((await api.ok(200, 'GET', '/emails')).pagination.offset, 0);
      assert.ok((await api.ok(200, 'GET', '/emails')).emails.length <= 20);
      for (const limit of [1, 2, 99, 100]) {
        assert.equal((await api.ok(200, 'GET', `/emails?limit=${limit}`)).pagination.limit, limit);
      }
      for (const limit of [
        '0',
        '101',
        '-1',
        '1.5',
        'x',
        '',
        '1e1',
        '0x10',
        '99999999999999999999',
        '+1',
        ' 1',
        'null',
      ]) {
        await api.refused({ ...bad, at: 'limit' }, 'GET', `/emails?limit=${encodeURIComponent(limit)}`);
      }
      await api.refused({ ...bad, at: 'limit' }, 'GET', '/emails?limit=1&limit=2');
    },
  ),

  check(['spec:list.offset'], 'accepts an offset of 0 or more; answers 400 to anything else', async (api) => {
    for (const offset of ['-1', '1.5', 'x', '', '99999999999999999999']) {
      await api.refused({ ...bad, at: 'offset' }, 'GET', `/emails?offset=${offset}`);
    }
    const far = await api.ok(200, 'GET', '/emails?offset=999999999');
    assert.deepEqual([far.emails, far.pagination.has_more], [[], false]);
  }),

  check(
    ['spec:list.status', 'spec:email.statuses', 'gap:30'],
    'filters by each of the four statuses; answers 400 to an unknown one',
    async (api) => {
      const tag = api.unique('tag');
      const delivered = (await api.sendAndDeliver({ tags: [tag] })).id;
      for (const status of ['sent', 'delivered', 'bounced', 'complained']) {
        const ids = status === 'delivered' ? [delivered] : [];
        assert.deepEqual(await api.idsListed(`tags=${tag}&status=${status}`), ids, status);
      }
      for (const status of ['', 'nothing', 'dropped', 'Delivered', 'queued', 'sent,delivered']) {
        await api.refused({ ...bad, at: 'status' }, 'GET', `/emails?status=${encodeURIComponent(status)}`);
      }
    },
  ),

  check(
    ['spec:email.statuses', 'gap:2', 'gap:30'],
    'filters by scheduled and cancelled, with a warning',
    async (api) => {
      const tag = api.unique('tag');
      const waiting = (await scheduledMail(api, { tags: [tag] })).id;
      const cancelled = (await scheduledMail(api, { tags: [tag] })).id;
      await api.ok(200, 'DELETE', `/emails/${cancelled}`);
      for (const [status, id] of Object.entries({ scheduled: waiting, cancelled })) {
        const { status: code, json, headers } = await api.call('GET', `/emails?tags=${tag}&status=${status}`);
        assert.equal(code, 200, status);
        assert.deepEqual(
          json.data.emails.map((email: { id: string }) => email.id),
          [id],
        );
        assert.match(headers['x-service-warning'] ?? '', /^status_filter; /);
      }
    },
  ),

  check(
    ['spec:list.to', 'gap:30'],
    'filters by to: a whole address, in any case, any recipient, with or without a name',
    async (api) => {
      const [to, cc, bcc] = [api.address('to'), api.address('cc'), api.address('bcc')];
      const { id } = await api.send({ to: [`Ada <${to}>`, api.address()], cc, bcc: [bcc] });
      for (const address of [to, to.toUpperCase(), cc, bcc, bcc.toUpperCase(), `Someone <${to}>`]) {
        assert.deepEqual(await api.idsListed(`to=${encodeURIComponent(address)}`), [id], address);
      }
      assert.deepEqual(await api.idsListed(`to=${to.slice(1)}`), [], 'a part of an address is not the address');
      assert.deepEqual(await api.idsListed(`to=${encodeURIComponent(`${to}.uk`)}`), []);
      await api.refused({ ...bad, at: 'to' }, 'GET', '/emails?to=');
    },
  ),

  check(['spec:list.from', 'gap:30'], 'filters by from: a whole address, in any case', async (api) => {
    const from = api.address('from');
    const { id } = await api.send({ from: `Shop <${from}>` });
    for (const address of [from, from.toUpperCase(), `X <${from}>`]) {
      assert.deepEqual(await api.idsListed(`from=${encodeURIComponent(address)}`), [id], address);
    }
    assert.deepEqual(await api.idsListed(`from=${from.slice(1)}`), []);
    assert.deepEqual(await api.idsListed(`to=${from}`), []);
    await api.refused({ ...bad, at: 'from' }, 'GET', '/emails?from=');
  }),

  check(
    ['spec:list.tags', 'spec:email.detail.tags', 'gap:30'],
    'filters by tags: emails that have all of them',
    async (api) => {
      const [a, b] = [api.unique('a'), api.unique('b')];
      const both = (await api.send({ tags: [a, b, 'größe & co'] })).id;
      const one = (await api.send({ tags: [a] })).id;
      assert.deepEqual(await api.idsListed(`tags=${a}`), [one, both]);
      assert.deepEqual(await api.idsListed(`tags=${a},${b}`), [both]);
      assert.deepEqual(await api.idsListed(`tags=${b},${a}`), [both]);
      assert.deepEqual(await api.idsListed(`tags=${encodeURIComponent(`${a},größe & co`)}`), [both]);
      assert.deepEqual(await api.idsListed(`tags=${a},nobody-has-this`), []);
      assert.deepEqual(await api.idsListed(`tags=${a.slice(0, -1)}`), []);
      for (const none of ['', ',', '%20', `${a},,${b}`]) {
        await api.refused({ ...bad, at: 'tags' }, 'GET', `/emails?tags=${none}`);
      }
      await api.refused(bad, 'GET', '/emails?tags=%zz');
      assert.deepEqual(await api.idsListed(`tags=${a.toUpperCase()}`), [], 'a tag is matched as it was written');
    },
  ),

  check(
    ['spec:list.from_date', 'spec:list.to_date', 'gap:29'],
    'treats date bounds as inclusive, a bare date as the whole UTC day, and respects an offset',
    async (api) => {
      const tag = api.unique('tag');
      const { id, created_at } = await api.send({ tags: [tag] });
      const at = Date.parse(created_at);
      const day = created_at.slice(0, 10);
      const iso = (instant: number) => new Date(instant).toISOString();
      const shifted = (instant: number, hours: number, sign: string) =>
        `${iso(instant + (sign === '+' ? hours : -hours) * 3_600_000).slice(0, 23)}${sign}0${hours}:00`;
      const found = (from?: string, to?: string) =>
        api.idsListed(
          `tags=${tag}${from ? `&from_date=${encodeURIComponent(from)}` : ''}${to ? `&to_date=${encodeURIComponent(to)}` : ''}`,
        );
      const inside: [string | undefined, string?][] = [
        [created_at, created_at],
        [created_at],
        [undefined, created_at],
        [day, day],
        [day],
        [undefined, day],
        [shifted(at, 2, '+'), shifted(at, 5, '-')],
        [iso(at - 1), iso(at + 1)],
        [iso(at - 86_400_000).slice(0, 10), iso(at + 86_400_000).slice(0, 10)],
        [`${created_at.slice(0, 16)}Z`],
      ];
      for (const [from, to] of inside) assert.deepEqual(await found(from, to), [id], `${from} to ${to}`);
      const outside: [string | undefined, string?][] = [
        [iso(at + 1)],
        [undefined, iso(at - 1)],
        [shifted(at + 1, 2, '+')],
        [undefined, shifted(at - 1, 2, '-')],
        [iso(at + 86_400_000).slice(0, 10)],
        [undefined, iso(at - 86_400_000).slice(0, 10)],
      ];
      for (const [from, to] of outside) assert.deepEqual(await found(from, to), [], `${from} to ${to}`);
      // The year 0 is a leap year, too.
      assert.deepEqual(await found('0000-02-29', iso(at)), [id]);
      const reversed = `from_date=${iso(at + 1)}&to_date=${iso(at - 1)}`;
      await api.refused({ ...bad, at: 'from_date' }, 'GET', `/emails?${reversed}`);
      for (const name of ['from_date', 'to_date']) {
        for (const value of [
          '',
          'yesterday',
          '2026-02-30',
          '2026-13-01',
          '2026-1-1',
          '2026-01-01T00:00:00',
          '1700000000',
          '2026-01-01T25:00:00Z',
        ]) {
          await api.refused({ ...bad, at: name }, 'GET', `/emails?${name}=${encodeURIComponent(value)}`);
        }
      }
    },
  ),

  check(
    [
      'spec:list.status',
      'spec:list.to',
      'spec:list.from',
      'spec:list.tags',
      'spec:list.from_date',
      'spec:list.to_date',
    ],
    'combines filters: an email must match every one',
    async (api) => {
      const [tag, to, from] = [api.unique('tag'), api.address('to'), api.address('from')];
      const email = await api.sendAndDeliver({ to, from, tags: [tag] });
      await api.sendAndDeliver({ from, tags: [tag] });
      await api.sendAndDeliver({ to, tags: [tag] });
      const waiting = (await scheduledMail(api, { to, from, tags: [tag] })).id;
      const at = encodeURIComponent(email.created_at);
      const all = `to=${to}&from=${from}&tags=${tag}&from_date=${at}`;
      assert.deepEqual(await api.idsListed(all), [waiting, email.id]);
      assert.deepEqual(await api.idsListed(`${all}&status=delivered`), [email.id]);
      assert.deepEqual(await api.idsListed(`${all}&status=scheduled`), [waiting]);
      assert.deepEqual(await api.idsListed(`${all}&status=cancelled`), []);
      assert.deepEqual(await api.idsListed(`${all}&to_date=${at}&status=delivered`), [email.id]);
    },
  ),

  check(
    ['spec:GET /emails/{id}', 'spec:code.not_found'],
    'answers 404 not_found to an id that does not exist, for reading and cancelling',
    async (api) => {
      for (const id of [
        'msg_unknown',
        'nothing',
        'tpl_1',
        '%F0%9F%8E%89',
        "msg_'%20OR%201=1",
        '..%2f..',
        '__proto__',
      ]) {
        await api.refused(unknown, 'GET', `/emails/${id}`);
        await api.refused(unknown, 'DELETE', `/emails/${id}`);
      }
    },
  ),

  check(
    ['spec:DELETE /emails/{id}', 'spec:transition.cancel', 'spec:email.statuses', 'gap:3', 'gap:9', 'gap:10'],
    'cancels a scheduled email with 200; answers 409 to a second time, or for a sent email',
    async (api) => {
      const { id } = await scheduledMail(api);
      const cancelled = await api.ok(200, 'DELETE', `/emails/${id}`);
      assert.deepEqual(cancelled, { id, status: 'cancelled' });
      assert.equal((await api.ok(200, 'GET', `/emails/${id}`)).status, 'cancelled');
      await api.refused({ status: 409, code: 'validation_error' }, 'DELETE', `/emails/${id}`);
      const sent = await api.send();
      await api.refused({ status: 409, code: 'validation_error' }, 'DELETE', `/emails/${sent.id}`);
      await api.untilDelivered(sent.id);
      await api.refused({ status: 409, code: 'validation_error' }, 'DELETE', `/emails/${sent.id}`);
    },
  ),

  check(
    ['gap:10', 'spec:status.409'],
    'answers 200 to one of several concurrent cancels, and 409 to the others',
    async (api) => {
      const { id } = await scheduledMail(api);
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.call('DELETE', `/emails/${id}`)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409]);
    },
  ),

  check(
    ['spec:POST /emails', 'spec:id.email'],
    'gives concurrent sends different ids and lists all of them',
    async (api) => {
      const tag = api.unique('tag');
      const sent = await Promise.all(Array.from({ length: 30 }, () => api.send({ tags: [tag] })));
      const ids = sent.map(({ id }) => id).sort();
      assert.equal(new Set(ids).size, 30);
      assert.deepEqual((await api.idsListed(`tags=${tag}&limit=100`)).sort(), ids);
    },
  ),

  check(['spec:GET /emails'], 'ignores unknown query parameters', async (api) => {
    await api.ok(200, 'GET', '/emails?nothing=1&__proto__=2');
  }),
];
