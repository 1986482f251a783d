import { expect, it } from 'vitest';
import { eventTypes } from '../../../src/contract/vocabulary/event-types.js';
import { onEveryServer } from '../../support/servers/service.js';

onEveryServer('an account', ({ run, data, kind }) => {
  it('has domains', async () => {
    const added = await run(['domains', 'add', 'example.test']);
    expect(added.stdout).toContain('_domainkey.example.test');
    expect(added.stderr).toContain('TXT _dmarc.example.test "v=DMARC1; p=none"');
    expect((await data(['domains', 'get', 'latest'])).status).toBe('pending');
    expect((await data(['domains', 'verify', 'example.test'])).status).toBe('verified');
    expect((await data(['domains', 'list'])).domains).toMatchObject([{ domain: 'example.test' }]);

    await data(['domains', 'delete', 'example.test', '--yes']);
    const again = await data(['domains', 'delete', 'example.test', '--yes', '--if-exists']);

    expect(again).toEqual({ domain: 'example.test', deleted: false });
    expect((await run(['domains', 'get', 'example.test'])).code).toBe(1);
  });

  it('has API keys, and a revoked key is refused', async () => {
    const { id, key } = await data(['api-keys', 'create', '--name', 'ci', '--rate-limit', '60']);
    expect((await run(['emails', 'list', '--api-key', key])).code).toBe(0);

    await data(['api-keys', 'revoke', id, '--yes']);

    expect((await run(['emails', 'list', '--api-key', key])).code).toBe(4);
    expect((await data(['api-keys', 'list'])).api_keys.map((each: { id: string }) => each.id)).not.toContain(id);
  });

  it('has webhooks', async () => {
    const url = 'https://hooks.example.test/';
    const { id, events, secret } = await data(['webhooks', 'create', '--url', url, '--events', 'all']);
    expect(events).toEqual(eventTypes);
    expect(secret).toMatch(/^whsec_/);
    expect((await run(['webhooks', 'list'])).stdout).toMatch(/https:\/\/hooks\.example\.test\/ +all\b/);
    const change = ['--events', 'email.bounced', '--no-active', '--yes'];
    expect(await data(['webhooks', 'update', id, ...change])).toMatchObject({
      events: ['email.bounced'],
      active: false,
    });
    expect((await data(['webhooks', 'list'])).webhooks).toMatchObject([{ id }]);

    await data(['webhooks', 'delete', id, '--yes']);

    expect((await data(['webhooks', 'list'])).webhooks).toEqual([]);
  });

  it('loses what is deleted, at once on a local server, and after confirmation on another', async () => {
    await data(['domains', 'add', 'kept.test']);

    const { code, stderr } = await run(['domains', 'delete', 'kept.test']);

    expect(code, stderr).toBe(kind === 'remote' ? 2 : 0);
    expect((await run(['domains', 'get', 'kept.test'])).code).toBe(kind === 'remote' ? 0 : 1);
    expect((await run(['domains', 'delete', 'kept.test', '--yes'])).code).toBe(kind === 'remote' ? 0 : 1);
  });

  it('is shown by whoami, and checked by the doctor', async () => {
    expect(await data(['whoami'])).toMatchObject({ kind, key_works: true });

    // Its exit code depends on ports too, which any process may use.
    const { findings } = JSON.parse((await run(['doctor', '--json'])).stdout);
    for (const check of ['target', 'clock'])
      expect(findings).toContainEqual(expect.objectContaining({ check, ok: true }));
  });
});
