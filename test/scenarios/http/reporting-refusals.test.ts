import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printed } from '../../../src/cli/output/color.js';
import { describeReport, junitOf } from '../../../src/cli/output/formatters/warning-report.js';
import { failsOnWarning } from '../../../src/cli/server/report/report.js';
import { openSmtp } from '../../support/mail/smtp-session.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

/** Tests the report of a strict server, which contains what it refused. Gap 40. */

describe('the report of a strict server', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp({ strict: true, domains: ['mine.test'] });
  });
  afterEach(() => app.closeClean());

  const EMAIL = { to: 'ada@example.test', from: 'app@mine.test', subject: 'Hi', html: 'x' };

  it('lists each refused request, also one that is a note on other servers', async () => {
    expect((await app.call('POST', '/v1/emails', { ...EMAIL, tagz: 1 })).status).toBe(422);
    expect((await app.call('POST', '/v1/emails', { ...EMAIL, from: 'a@other.test' })).status).toBe(403);
    expect((await app.call('POST', '/v1/emails', EMAIL)).status).toBe(201);

    const report = await app.read('/_svc/report');

    expect(report.warnings).toMatchObject([
      { code: 'unknown_field', path: 'tagz', refused: true, count: 1, route: 'POST /v1/emails' },
      { code: 'unverified_domain', level: 'note', refused: true, count: 1 },
    ]);
    expect(printed(describeReport(report), false)).toContain(
      '  Refused with 422 validation_error, because the server is strict.',
    );
    expect(junitOf(report)).toContain('failures="2"');
    expect(failsOnWarning({ ...report, warnings: report.warnings.slice(1) }, { 'fail-on-warning': true })).toBe(true);
  });

  it('lists what was refused over SMTP', async () => {
    const { smtp } = await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
    const session = await openSmtp(smtp);
    await session.reply();
    await session.say('EHLO client.example.test');
    await session.say('MAIL FROM:<a@other.test>');
    session.socket.end();

    expect((await app.read('/_svc/report')).warnings).toMatchObject([
      { code: 'unverified_domain', route: 'SMTP', refused: true, count: 1 },
    ]);
  });
});
