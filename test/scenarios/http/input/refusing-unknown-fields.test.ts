import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../support/servers/app.js';
import { verifiedDomain } from '../../../support/verified-domain.js';

/** Gap 13, `--strict`. */

const EMAIL = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>' };

describe('an unknown field, on a strict server', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ strict: true });
    await verifiedDomain(app, 'example.test');
  });

  afterEach(() => app.closeClean());

  it('is 422, naming each, and stores nothing', async () => {
    const attachments = [{ filename: 'a', content: 'YQ==', contentType: 'a/b', size: 0 }];
    const answer = await app.call('POST', '/v1/emails', { ...EMAIL, scheduledAt: 'x', zebra: 1, attachments });
    expect([answer.status, answer.json.error.code]).toEqual([422, 'validation_error']);
    const paths = answer.json.error.details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual(['attachments.0.size', 'scheduledAt', 'zebra']);
    expect(JSON.stringify(answer.json.error.details)).toContain('did you mean scheduled_at?');
    expect((await app.call('GET', '/v1/emails')).json.data.pagination.total).toBe(0);
  });

  it('does not include variables that a template does not use', async () => {
    const template = { name: 'Hello', subject: 's', html: '<p>{{name}}</p>' };
    const { id } = (await app.call('POST', '/v1/templates', template)).json.data;
    const { html: _, ...mail } = EMAIL;
    const body = { ...mail, template_id: id, variables: { name: 'Ada', anything: 'else' } };
    expect((await app.call('POST', '/v1/emails', body)).status).toBe(201);
  });
});
