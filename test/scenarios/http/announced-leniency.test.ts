import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { warningsFor } from '../../../src/cli/target/target.js';
import { Client } from '../../../src/client/client.js';
import { failures } from '../../../src/contract/vocabulary/errors.js';
import { readWarnings, type WarningCode, warningForms } from '../../../src/contract/vocabulary/warnings.js';
import { leftoverPlaceholders, unrenderedPlaceholders } from '../../../src/core/mail/content-warnings.js';
import { ROOT } from '../../support/cli/binary.js';
import { type Answer, startApp, TEST_KEY, type TestApp } from '../../support/servers/app.js';
import { verifiedDomain } from '../../support/verified-domain.js';

/** Tests that requests which the service may refuse are announced, and refused by a strict server. Gap 40. */

const EMAIL = { to: 'ada@example.test', from: 'app@verified.test', subject: 'Hi', html: '<p>Hi</p>' };
const MIB = 1024 * 1024;

const attachment = (bytes: number) => ({
  filename: 'a.bin',
  contentType: 'application/octet-stream',
  content: Buffer.alloc(bytes).toString('base64'),
});
const recipients = (count: number) => Array.from({ length: count }, (_, index) => `r${index}@example.test`);

type Request = [method: string, path: string, body?: object];
/** For each code: a request that causes it, and a similar one that does not. */
const requests: Partial<Record<WarningCode, { found: Request; path: string; clean: Request }>> = {
  unknown_field: {
    found: ['POST', '/v1/emails', { ...EMAIL, scheduledAt: 'x' }],
    path: 'scheduledAt',
    clean: ['POST', '/v1/emails', EMAIL],
  },
  unknown_parameter: {
    found: ['GET', '/v1/emails?stauts=sent'],
    path: 'stauts',
    clean: ['GET', '/v1/emails?status=sent&limit=1'],
  },
  unused_variables: {
    found: ['POST', '/v1/emails', { ...EMAIL, variables: { a: 1 } }],
    path: 'variables',
    clean: ['POST', '/v1/emails', EMAIL],
  },
  leftover_placeholder: {
    found: ['POST', '/v1/emails', { ...EMAIL, html: '<p>{{name}}</p>' }],
    path: 'html',
    clean: ['POST', '/v1/emails', { ...EMAIL, html: '<style>@media x{a{b:c}}</style>{{' }],
  },
  missing_rate_limit: {
    found: ['POST', '/v1/api-keys', { name: 'k', environment: 'test' }],
    path: 'rate_limit',
    clean: ['POST', '/v1/api-keys', { name: 'k', environment: 'test', rate_limit: 60 }],
  },
  many_recipients: {
    found: ['POST', '/v1/emails', { ...EMAIL, to: recipients(50), bcc: 'one@more.test' }],
    path: 'to',
    clean: ['POST', '/v1/emails', { ...EMAIL, to: recipients(50) }],
  },
  large_attachments: {
    found: ['POST', '/v1/emails', { ...EMAIL, attachments: [attachment(10 * MIB), attachment(1)] }],
    path: 'attachments',
    clean: ['POST', '/v1/emails', { ...EMAIL, attachments: [attachment(10 * MIB)] }],
  },
  large_html: {
    found: ['POST', '/v1/emails', { ...EMAIL, html: `é${'x'.repeat(MIB - 1)}` }],
    path: 'html',
    clean: ['POST', '/v1/emails', { ...EMAIL, html: `é${'x'.repeat(MIB - 2)}` }],
  },
  far_schedule: {
    found: ['POST', '/v1/emails', { ...EMAIL, scheduled_at: '2030-01-31T00:00:01Z' }],
    path: 'scheduled_at',
    clean: ['POST', '/v1/emails', { ...EMAIL, scheduled_at: '2030-01-31T00:00:00Z' }],
  },
  status_filter: {
    found: ['GET', '/v1/emails?status=scheduled'],
    path: 'status',
    clean: ['GET', '/v1/emails?status=complained'],
  },
  simulator_recipient: {
    found: ['POST', '/v1/emails', { ...EMAIL, to: 'bounce@simulator.test' }],
    path: 'to',
    clean: ['POST', '/v1/emails', { ...EMAIL, to: 'bounced@simulator.test' }],
  },
  unverified_domain: {
    found: ['POST', '/v1/emails', { ...EMAIL, from: 'app@other.test' }],
    path: 'from',
    clean: ['POST', '/v1/emails', EMAIL],
  },
};
const codes = Object.keys(requests) as WarningCode[];

/** Returns the codes of a response's header. */
function announced({ headers }: Answer): (WarningCode | undefined)[] {
  const values = [headers['x-service-warning'] ?? []].flat();
  expect(values.filter((value) => !/^[\x20-\x7e]+$/.test(value))).toEqual([]);
  return readWarnings(values.join(', ')).map(({ code }) => code);
}

describe('a request that the service may refuse', () => {
  let app: TestApp;

  async function start(options: { strict?: boolean } = {}) {
    app = await startApp({ ...options, plan: 'none' });
    await app.call('PATCH', '/_svc/clock', { now: '2030-01-01T00:00:00Z', frozen: true });
    await verifiedDomain(app, 'verified.test');
  }

  beforeEach(() => start());
  afterEach(() => app.closeClean());

  const call = ([method, path, body]: Request) => app.call(method, path, body);

  it.each(codes)('is announced in the response and in the request log: %s', async (code) => {
    const { found, path, clean } = requests[code] as NonNullable<(typeof requests)[typeof code]>;
    const answer = await call(found);
    expect(answer.status).toBeLessThan(300);
    expect(announced(answer)).toEqual([code]);
    const [logged] = (await app.call('GET', '/_svc/requests?limit=1')).json.data.requests;
    const { level, advice, strict } = warningForms[code];
    const strict_status = strict && failures[strict].status;
    expect(logged.warnings).toEqual([{ code, level, path, message: expect.any(String), advice, strict_status }]);
    expect(announced(await call(clean))).toEqual([]);
  });

  it('is refused by a strict server with the status in the warning', async () => {
    await app.closeClean();
    await start({ strict: true });
    for (const code of codes) {
      const { found, path, clean } = requests[code] as NonNullable<(typeof requests)[typeof code]>;
      const failure = failures[warningForms[code].strict ?? 'internal'];
      const { status, json } = await call(found);
      expect({ code, status, error: json.error }).toMatchObject({
        status: failure.status,
        error: { code: failure.code, details: [{ path }], hint: warningForms[code].advice },
      });
      expect({ code, status: (await call(clean)).status }).toEqual({ code, status: expect.toSatisfy((s) => s < 300) });
    }
    expect((await app.call('GET', '/v1/emails?status=cancelled')).status).toBe(400);
    // Nothing of a refused request was stored.
    const sent = codes.filter((code) => requests[code]?.clean[1] === '/v1/emails').length;
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(sent);
  });

  it('has its code, level and status in the documentation', () => {
    const page = readFileSync(join(ROOT, 'docs/specification-gaps.md'), 'utf8');
    const rows = Array.from(
      page.matchAll(/^\| `(\w+)` \| (warning|note|info) \| .* \| (\d{3}|–) \|$/gm),
      ([, code, level, status]) => [code, level, status === '–' ? null : status],
    );
    const [, list = ''] = /Three more codes are notes about messages,(.*?)\.\n/s.exec(page) ?? [];
    const notes = Array.from(list.matchAll(/`(\w+)`/g), ([, code]) => [code, 'note', null]);

    const forms = Object.entries(warningForms).map(([code, { level, strict }]) => [
      code,
      level,
      strict && String(failures[strict].status),
    ]);

    expect(forms.sort()).toEqual([...rows, ...notes].sort());
    expect(rows.filter(([, level]) => level === 'note').map(([code]) => code)).toEqual(['unverified_domain']);
  });

  it('is reported to the command line unless it is a note', async () => {
    const heard: string[] = [];
    const onWarnings = warningsFor((text) => heard.push(text));
    const options = {
      baseUrl: 'http://any.host.test/v1',
      apiKey: TEST_KEY,
      userAgent: 'test',
      fetch: app.fetch,
      onWarnings,
    };
    const body = { ...EMAIL, from: 'app@other.test', subject: '{{name}}' };

    await new Client(options).call('emails.send', { body });

    expect(heard).toEqual(['subject: contains {{name}}, which is not replaced']);
  });

  it('keeps its warnings on the email, also for a scheduled one', async () => {
    for (const more of [{}, { scheduled_at: '2030-01-04T00:00:00Z' }]) {
      const body = { ...EMAIL, tagz: 1, subject: '{{a}}', to: 'bounce@simulator.test', ...more };
      const answer = await app.call('POST', '/v1/emails', body);
      const { json } = answer;
      expect(announced(answer)).toEqual(['unknown_field', 'leftover_placeholder', 'simulator_recipient']);
      await app.call('POST', '/_svc/clock/advance', { by: '2d' });
      const { warnings } = (await app.call('GET', `/_svc/emails/${json.data.id}`)).json.data;
      expect(warnings).toMatchObject([
        { code: 'unknown_field', level: 'warning', path: 'tagz', strict_status: 422 },
        { code: 'leftover_placeholder', path: 'subject' },
        { code: 'simulator_recipient', path: 'to' },
      ]);
    }
  });

  it('for a simulator address without an outcome is not announced if a rule chooses one, and only then', async () => {
    await app.call('POST', '/_svc/rules', { to: 'typo@simulator.test', outcome: 'bounced', times: 1 });
    const send = () => app.call('POST', '/v1/emails', { ...EMAIL, to: 'typo@simulator.test' });
    expect([announced(await send()), announced(await send())]).toEqual([[], ['simulator_recipient']]);
  });

  it('is refused by a strict server when it is scheduled, too', async () => {
    await app.closeClean();
    await start({ strict: true });
    const body = { ...EMAIL, to: 'typo@simulator.test', scheduled_at: '2030-01-02T00:00:00Z' };
    expect((await app.call('POST', '/v1/emails', body)).status).toBe(422);
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(0);
  });

  it('announces an unverified domain once, in a request that succeeds', async () => {
    const refused = { ...EMAIL, html: undefined, template_id: 'tpl_1', from: 'x@a.test' };
    expect((await app.call('POST', '/v1/emails', refused)).status).toBe(404);
    for (const [domain, expected] of [
      ['a.test', ['unverified_domain']],
      ['A.test', []],
      ['b.test', ['unverified_domain']],
    ] as const) {
      expect(announced(await app.call('POST', '/v1/emails', { ...EMAIL, from: `x@${domain}` }))).toEqual(expected);
    }
  });

  it('announces what a template leaves in its own source, but not what a value contains', async () => {
    const template = { name: 't', subject: 's', html: '{{#if a}}{{ name }} {{user.name}}' };
    const { id } = (await app.call('POST', '/v1/templates', template)).json.data;
    const { html: _, ...rest } = EMAIL;
    const answer = await app.call('POST', '/v1/emails', { ...rest, template_id: id, variables: { name: '{{x}}' } });
    expect(answer.headers['x-service-warning']).toEqual([
      'leftover_placeholder; html: contains {{#if a}}, {{user.name}}, which are not replaced',
    ]);
  });

  it('searches a part for 1,000 placeholders at most', () => {
    const html = (count: number) => Array.from({ length: count }, (_, index) => `{{${index}}}`).join('');
    for (const search of [leftoverPlaceholders, unrenderedPlaceholders]) {
      const warning = (count: number) => search({ subject: '', html: html(count), text: '' })[0];
      expect(warning(999)?.message).toBe('contains {{0}}, {{1}}, {{2}} and 996 more, which are not replaced');
      expect(warning(1_001)?.message).toBe('contains {{0}}, {{1}}, {{2}} and more, which are not replaced');
      const late = { subject: '', html: `${'{{0}}'.repeat(1_000)}{{1}}`, text: '' };
      expect(search(late)).toMatchObject([{ message: 'contains {{0}}, which is not replaced' }]);
    }
    const overlapping = { subject: '', html: '{{{a}} {{{{b}}', text: '' };
    expect(unrenderedPlaceholders(overlapping)).toMatchObject([{ message: 'contains {{{{b}}, which is not replaced' }]);
  });

  it('announces all simulator addresses without an outcome together', async () => {
    const to = ['a', 'b', 'c', 'd', 'e'].map((name) => `typo-${name}@simulator.test`);
    expect((await app.call('POST', '/v1/emails', { ...EMAIL, to })).headers['x-service-warning']).toEqual([
      expect.stringMatching(
        /^simulator_recipient; to: typo-a@\S+, typo-b@\S+, typo-c@\S+ and 2 more do not name an outcome.*outcomes: /,
      ),
    ]);
  });

  it('does not search a template again for every placeholder that does not end', async () => {
    const search = vi.spyOn(String.prototype, 'indexOf');
    try {
      const html = '{{'.repeat(10_000);
      const found = unrenderedPlaceholders({ subject: '', html, text: '' });
      expect(found).toMatchObject([{ message: expect.stringMatching(/^contains (?:\{\{){30}…/) }]);
      expect(search.mock.contexts.filter((text) => String(text) === html)).toHaveLength(1);
    } finally {
      search.mockRestore();
    }
  });

  it('names unknown parameters of every endpoint, with the nearest known one', async () => {
    expect((await app.call('GET', '/v1/emails?limit[]=5&zebra=1')).headers['x-service-warning']).toEqual([
      'unknown_parameter; limit[]: is not a parameter (did you mean limit?)',
      'unknown_parameter; zebra: is not a parameter',
    ]);
    expect(announced(await app.call('GET', '/v1/domains?limit=1'))).toEqual(['unknown_parameter']);
    expect(announced(await app.call('POST', '/v1/emails?dry_run=true', EMAIL))).toEqual(['unknown_parameter']);
  });
});
