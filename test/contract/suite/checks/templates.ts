import assert from 'node:assert/strict';
import { type Check, check } from '../check.js';
import { ALL_EVENTS_PATH } from '../receiver.js';
import { arrayOf, exactly, pagination, rendered, rowsOf, template } from '../shapes.js';

/** Checks templates. */

const invalid = { status: 422, code: 'validation_error' };
const bad = { status: 400, code: 'validation_error' };
const conflict = { status: 409, code: 'validation_error' };
const unknown = { status: 404, code: 'template_not_found' };
const variablesRefused = { status: 422, code: 'invalid_variables' };
const MiB = 1024 * 1024;

const WRONG = [null, 7, true, {}, ['x']];

export const checks: Check[] = [
  check(
    ['spec:POST /templates', ...rowsOf('spec:template', template), 'spec:id.template', 'gap:9'],
    'returns 201 with exactly the Template; text is optional',
    async (api) => {
      const fields = {
        name: api.unique('welcome'),
        subject: 'Hi {{name}}',
        html: '<p>{{name}}</p>',
        text: 'Hi {{name}}',
      };
      const made = await api.ok(201, 'POST', '/templates', fields);
      exactly(template)(made, 'data');
      const { id: _, created_at, updated_at, ...rest } = made;
      assert.deepEqual(rest, fields);
      assert.equal(created_at, updated_at);
      const { text: __, ...without } = fields;
      assert.equal((await api.ok(201, 'POST', '/templates', { ...without, name: api.unique('welcome') })).text, '');
    },
  ),

  check(
    ['spec:GET /templates/{id}', ...rowsOf('spec:template', template), 'gap:9'],
    'returns exactly the Template',
    async (api) => {
      const made = await api.template();
      const read = await api.ok(200, 'GET', `/templates/${made.id}`);
      exactly(template)(read, 'data');
      assert.deepEqual(read, made);
    },
  ),

  check(
    [
      'gap:7',
      'gap:43',
      'spec:POST /templates',
      'spec:request.templates.create.name',
      'spec:request.templates.create.subject',
      'spec:request.templates.create.html',
      'spec:request.templates.create.text',
    ],
    'requires name, subject and html, not empty; answers 422 to wrong types',
    async (api) => {
      const fields = () => ({ name: api.unique('t'), subject: 's', html: 'h', text: 't' }) as Record<string, unknown>;
      for (const name of ['name', 'subject', 'html']) {
        for (const value of [undefined, '', ' ', '\u200b', ...WRONG]) {
          await api.refused({ ...invalid, at: name }, 'POST', '/templates', { ...fields(), [name]: value });
        }
      }
      for (const value of WRONG)
        await api.refused({ ...invalid, at: 'text' }, 'POST', '/templates', { ...fields(), text: value });
      assert.equal((await api.ok(201, 'POST', '/templates', { ...fields(), text: '' })).text, '');
      for (const [name, value] of [
        ['name', 'a\nb'],
        ['name', 'a\u0000b'],
        ['name', ' a'],
        ['name', 'a '],
        ['subject', 'a\tb'],
        ['subject', 'a\u0085b'],
        ['subject', 'a\u2028b'],
        ['subject', 'a\u2029b'],
        ['subject', 'a\r\nBcc: x@example.test'],
      ] as const) {
        await api.refused({ ...invalid, at: name }, 'POST', '/templates', { ...fields(), [name]: value });
      }
    },
  ),

  check(
    ['gap:7', 'spec:template.name'],
    'accepts a name of 255 characters, and not one more; in any language',
    async (api) => {
      const long = api.unique('n').padEnd(255, 'x');
      assert.equal((await api.template({ name: long })).name, long);
      await api.refused({ ...invalid, at: 'name' }, 'POST', '/templates', {
        name: `${long}y`,
        subject: 's',
        html: 'h',
      });
      const name = `${api.unique('größe')} 日本 🎉`;
      assert.equal((await api.template({ name })).name, name);
    },
  ),

  check(
    ['gap:7', 'spec:template.html', 'spec:template.text', 'spec:template.subject'],
    'accepts contents of 1 MiB each in UTF-8, and not one byte more',
    async (api) => {
      for (const field of ['subject', 'html', 'text']) {
        for (const [full, over] of [
          ['a'.repeat(MiB), 'a'.repeat(MiB + 1)],
          ['é'.repeat(MiB / 2), `${'é'.repeat(MiB / 2)}a`],
        ]) {
          assert.equal((await api.template({ [field]: full }))[field], full);
          const body = { name: api.unique('t'), subject: 's', html: 'h', [field]: over };
          await api.refused({ ...invalid, at: field }, 'POST', '/templates', body);
        }
      }
    },
  ),

  check(
    ['gap:7', 'spec:status.409', 'spec:template.name'],
    'requires a unique name: 409 on creation and on change',
    async (api) => {
      const first = await api.template();
      const second = await api.template();
      await api.refused({ ...conflict, at: 'name' }, 'POST', '/templates', {
        name: first.name,
        subject: 's',
        html: 'h',
      });
      await api.refused({ ...conflict, at: 'name' }, 'PATCH', `/templates/${second.id}`, { name: first.name });
      assert.equal((await api.ok(200, 'GET', `/templates/${second.id}`)).name, second.name);
      await api.ok(200, 'PATCH', `/templates/${first.id}`, { name: first.name });
      await api.ok(204, 'DELETE', `/templates/${first.id}`);
      await api.template({ name: first.name });
    },
  ),

  check(
    ['gap:7', 'spec:status.409'],
    'answers 201 to one of several concurrent creations of a name, and 409 to the others',
    async (api) => {
      const body = { name: api.unique('race'), subject: 's', html: 'h' };
      const answers = await Promise.all(Array.from({ length: 5 }, () => api.call('POST', '/templates', body)));
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
    },
  ),

  check(
    ['spec:GET /templates', 'spec:templates.limit', 'spec:templates.offset', 'spec:limits.pagination', 'gap:19'],
    'lists templates, newest first, with pagination',
    async (api) => {
      const made = [await api.template(), await api.template(), await api.template()].reverse();
      const data = await api.ok(200, 'GET', '/templates?limit=3');
      exactly({ templates: arrayOf(exactly(template)), pagination: exactly(pagination) })(data, 'data');
      if (!api.target.exclusive) return;
      assert.deepEqual(data.templates, made);
      const { total } = data.pagination;
      const second = await api.ok(200, 'GET', '/templates?limit=1&offset=1');
      assert.deepEqual(
        [second.templates, second.pagination],
        [[made[1]], { total, limit: 1, offset: 1, has_more: total > 2 }],
      );
      const last = await api.ok(200, 'GET', `/templates?limit=1&offset=${total - 1}`);
      assert.deepEqual([last.templates.length, last.pagination.has_more], [1, false]);
      const beyond = await api.ok(200, 'GET', `/templates?offset=${total}`);
      assert.deepEqual([beyond.templates, beyond.pagination.has_more], [[], false]);
    },
  ),

  check(
    ['spec:templates.limit', 'spec:templates.offset', 'spec:limits.pagination'],
    'accepts a limit of 1 to 100, 20 by default, and an offset of 0 or more; answers 400 to anything else',
    async (api) => {
      assert.equal((await api.ok(200, 'GET', '/templates')).pagination.limit, 20);
      for (const limit of [1, 100]) {
        assert.equal((await api.ok(200, 'GET', `/templates?limit=${limit}`)).pagination.limit, limit);
      }
      for (const limit of ['0', '101', '-1', 'x', '1.5', '']) {
        await api.refused({ ...bad, at: 'limit' }, 'GET', `/templates?limit=${limit}`);
      }
      for (const offset of ['-1', 'x', '1.5', '']) {
        await api.refused({ ...bad, at: 'offset' }, 'GET', `/templates?offset=${offset}`);
      }
    },
  ),

  check(
    [
      'spec:PATCH /templates/{id}',
      'spec:template.updated_at',
      'gap:9',
      'spec:request.templates.update.name',
      'spec:request.templates.update.subject',
      'spec:request.templates.update.html',
      'spec:request.templates.update.text',
    ],
    'changes with PATCH only the given fields, and returns the Template',
    async (api) => {
      const before = await api.template();
      for (const [field, value] of Object.entries({
        name: api.unique('renamed'),
        subject: 'New {{name}}',
        html: '<b>{{name}}</b>',
        text: '',
      })) {
        const previous = await api.ok(200, 'GET', `/templates/${before.id}`);
        const after = await api.ok(200, 'PATCH', `/templates/${before.id}`, { [field]: value });
        exactly(template)(after, 'data');
        assert.deepEqual({ ...after, updated_at: 0 }, { ...previous, [field]: value, updated_at: 0 });
        assert.ok(after.updated_at >= previous.updated_at);
        assert.deepEqual(await api.ok(200, 'GET', `/templates/${before.id}`), after);
      }
      for (const [field, values] of Object.entries({
        name: ['', ' ', 'x'.repeat(256), ...WRONG],
        subject: ['', '\u200b', 'a\nb', ...WRONG],
        html: ['', ' \n', ...WRONG],
        text: WRONG,
      })) {
        for (const value of values) {
          await api.refused({ ...invalid, at: field }, 'PATCH', `/templates/${before.id}`, { [field]: value });
        }
      }
    },
  ),

  check(
    ['gap:45', 'spec:template.updated_at'],
    'returns the Template unchanged, and raises no event, for a PATCH that changes nothing',
    async (api) => {
      const { id } = await api.template();
      const before = await api.ok(200, 'PATCH', `/templates/${id}`, { text: 'first' });
      for (const change of [{}, { nmae: 'x' }, { text: 'first' }, { name: before.name, html: before.html }]) {
        assert.deepEqual(await api.ok(200, 'PATCH', `/templates/${id}`, change), before);
      }
      if (!api.receiver) return;
      await api.ok(204, 'DELETE', `/templates/${id}`);
      await api.event('template.deleted', (data) => data.template_id === id);
      const updates = api.receiver
        .at(ALL_EVENTS_PATH)
        .filter(({ json }) => json.type === 'template.updated' && json.data.template_id === id);
      assert.equal(updates.length, 1);
    },
  ),

  check(
    ['spec:DELETE /templates/{id}', 'spec:status.204', 'gap:9'],
    'deletes a template with 204 without a body; answers 404 the second time',
    async (api) => {
      const { id } = await api.template();
      assert.equal(await api.ok(204, 'DELETE', `/templates/${id}`), undefined);
      await api.refused(unknown, 'DELETE', `/templates/${id}`);
      await api.refused(unknown, 'GET', `/templates/${id}`);
    },
  ),

  check(
    ['spec:code.template_not_found', 'gap:11'],
    'answers 404 template_not_found to an id that does not exist',
    async (api) => {
      for (const id of ['tpl_unknown', 'nothing', 'msg_1', '%F0%9F%8E%89', '__proto__']) {
        await api.refused(unknown, 'GET', `/templates/${id}`);
        await api.refused(unknown, 'PATCH', `/templates/${id}`, { name: api.unique('t') });
        await api.refused(unknown, 'DELETE', `/templates/${id}`);
        await api.refused(unknown, 'POST', `/templates/${id}/render`, { variables: {} });
      }
    },
  ),

  check(
    ['spec:POST /templates/{id}/render', 'spec:template.placeholders', 'gap:8', 'gap:9'],
    'replaces every placeholder when rendering: escaped in html, unchanged in subject and text',
    async (api) => {
      const { id } = await api.template({
        subject: '{{a}} {{ a }} {{  _b1  }}',
        html: '<p title="{{a}}">{{a}}{{a}}</p>',
        text: '{{a}}\n{{n}} {{yes}}',
      });
      const variables = { a: `<b>"&'`, _b1: 'b', n: -0.5, yes: true, extra: 'x' };
      const data = await api.ok(200, 'POST', `/templates/${id}/render`, { variables });
      exactly(rendered)(data, 'data');
      assert.deepEqual(data, {
        subject: `<b>"&' <b>"&' b`,
        html: '<p title="&lt;b&gt;&quot;&amp;&#39;">&lt;b&gt;&quot;&amp;&#39;&lt;b&gt;&quot;&amp;&#39;</p>',
        text: `<b>"&'\n-0.5 true`,
      });
    },
  ),

  check(
    ['gap:8'],
    'leaves text that is not a placeholder unchanged, and does not render a value again',
    async (api) => {
      const html = '{{1a}} {{a-b}} {{a.b}} {{}} {{ }} {a} {{{a}}} {{a b}} {{é}} $& $1 {{a}}';
      const { id } = await api.template({ subject: 's', html, text: '' });
      const data = await api.ok(200, 'POST', `/templates/${id}/render`, { variables: { a: '{{b}} $& $1' } });
      assert.equal(
        data.html,
        '{{1a}} {{a-b}} {{a.b}} {{}} {{ }} {a} {{{b}} $&amp; $1} {{a b}} {{é}} $& $1 {{b}} $&amp; $1',
      );
    },
  ),

  check(['gap:43'], 'answers 422 to a subject that renders to nothing visible', async (api) => {
    const { id } = await api.template({ subject: '{{a}}', html: 'h', text: '' });
    for (const a of ['', ' ', '\u200b']) {
      await api.refused({ ...invalid, at: 'subject' }, 'POST', `/templates/${id}/render`, { variables: { a } });
      const body = { to: api.address(), from: 'shop@example.test', template_id: id, variables: { a } };
      await api.refused({ ...invalid, at: 'subject' }, 'POST', '/emails', body);
    }
  }),

  check(
    ['gap:8', 'gap:43', 'spec:code.invalid_variables', 'spec:request.templates.render.variables'],
    'answers 422 invalid_variables to missing and unusable values, naming every one',
    async (api) => {
      const { id } = await api.template({ subject: '{{a}}', html: '{{b}}', text: '{{c}}' });
      const render = (variables: unknown) => [`/templates/${id}/render`, { variables }] as const;
      const error = await api.refused(variablesRefused, 'POST', ...render({ b: 'x' }));
      assert.match(error.message, /a.*c/s);
      assert.doesNotMatch(error.message, /\bb\b/);
      await api.refused(variablesRefused, 'POST', ...render({}));
      await api.refused({ ...invalid, at: 'variables' }, 'POST', `/templates/${id}/render`, {});
      for (const value of [null, [], {}, ['x']]) {
        await api.refused(variablesRefused, 'POST', ...render({ a: value, b: 'x', c: 'x' }));
      }
      for (const value of ['two\nlines', 'two\rlines', 'a\u0000b', 'a\tb', 'a\u0085b', 'a\u2028b', 'a\u2029b']) {
        await api.refused(variablesRefused, 'POST', ...render({ a: value, b: 'x', c: 'x' }));
        const data = await api.ok(200, 'POST', ...render({ a: 'x', b: value, c: value }));
        assert.deepEqual([data.html, data.text], [value, value]);
      }
      for (const value of [null, 7, 'x', []]) await api.refused(invalid, 'POST', ...render(value));
      const falsy = await api.ok(200, 'POST', ...render({ a: false, b: 0, c: '' }));
      assert.deepEqual(falsy, { subject: 'false', html: '0', text: '' });
    },
  ),
];
