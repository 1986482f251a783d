import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/binary.js';
import { request } from '../support/server-calls.js';

/** A server reached by its base URL and a key alone, its control API switched off: what the hosted service is to svc. */

describe('svc against a server without a control API', () => {
  let dev: DevServer;
  let elsewhere: ReturnType<typeof temporaryDirectory>;

  beforeAll(async () => {
    elsewhere = temporaryDirectory();
    dev = await startDev(['--in-memory', '--no-control']);
  });
  afterAll(async () => {
    await dev.stop();
    elsewhere.remove();
  });

  const run = (...args: string[]) =>
    svc([...args, '--base-url', dev.ready.base_url, '--json'], {
      env: { SVC_API_KEY: dev.ready.api_key, SVC_DATA_DIR: elsewhere.path },
    });

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the command prints, types would promise what they check
  async function data(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await run(...args);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout === '' ? undefined : JSON.parse(stdout);
  }

  it('the service works: emails', async () => {
    const { id } = await data(
      'emails',
      'send',
      '--to',
      'ada@example.test',
      '--from',
      'app@example.test',
      '--subject',
      'Hi',
      '--html',
      'x',
    );
    expect(await data('emails', 'get', id)).toMatchObject({ id, to: 'ada@example.test' });
    expect((await data('emails', 'list')).emails).toMatchObject([{ id }]);
    const { code, stderr } = await run('emails', 'cancel', id, '--yes');
    expect({ code, status: JSON.parse(stderr).error.status }).toEqual({ code: 1, status: 409 });
    expect((await data('analytics')).total.sent).toBe(1);
  });

  it('the service works: templates', async () => {
    const { id } = await data('templates', 'create', '--name', 'a', '--subject', 'Hi {{name}}', '--html', 'x');
    expect((await data('templates', 'update', id, '--subject', 'Hello {{name}}', '--yes')).subject).toBe(
      'Hello {{name}}',
    );
    expect((await data('templates', 'render', id, '--var', 'name=Ada')).subject).toBe('Hello Ada');
    expect((await data('templates', 'list')).templates).toMatchObject([{ id }]);
    await data('templates', 'delete', id, '--yes');
    expect((await run('templates', 'get', id)).code).toBe(1);
  });

  it('the service works: domains', async () => {
    expect((await data('domains', 'add', 'example.test')).status).toBe('pending');
    expect((await data('domains', 'verify', 'example.test')).status).toBe('verified');
    expect((await data('domains', 'list')).domains).toHaveLength(1);
    await data('domains', 'delete', 'example.test', '--yes');
    expect((await run('domains', 'get', 'example.test')).code).toBe(1);
  });

  it('the service works: API keys', async () => {
    const { id, key } = await data('api-keys', 'create', '--name', 'ci', '--environment', 'test');
    expect(key).toMatch(/^svc_test_/);
    await data('api-keys', 'revoke', id, '--yes');
    expect((await data('api-keys', 'list')).api_keys.map((each: { id: string }) => each.id)).not.toContain(id);
  });

  it('the service works: webhooks', async () => {
    const { id } = await data('webhooks', 'create', '--url', 'https://hooks.example.test/', '--events', 'email.sent');
    expect(await data('webhooks', 'update', id, '--events', 'email.bounced', '--yes')).toMatchObject({
      events: ['email.bounced'],
    });
    expect((await data('webhooks', 'list')).webhooks).toMatchObject([{ id }]);
    await data('webhooks', 'delete', id, '--yes');
    expect((await data('webhooks', 'list')).webhooks).toEqual([]);
  });

  it('has nothing under /_svc but its health, which says so', async () => {
    const health = await request(dev.ready, '/_svc/health');
    expect((await health.json()) as object).toMatchObject({ data: { status: 'ok', control: false } });

    for (const path of ['/_svc/info', '/_svc/events', '/_svc/requests', '/_svc/emails/msg_1/raw']) {
      const response = await request(dev.ready, path);
      expect(response.status, path).toBe(404);
      expect(await response.json()).toMatchObject({ success: false, error: { code: 'not_found' } });
    }
  });
});
