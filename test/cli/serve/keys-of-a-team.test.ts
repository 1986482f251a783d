import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';

const directory = temporaryDirectory();
let server: TeamServer;
let local: DevServer;

const LOCAL = { SVC_DATA_DIR: join(directory.path, 'local') };
const run = (args: string[], env: Record<string, string> = {}) =>
  svc(args, { env: { SVC_BASE_URL: server.ready.base_url, SVC_API_KEY: ADMIN_KEY, ...env } });

beforeAll(async () => {
  [server, local] = await Promise.all([
    startServe(['--data-dir', join(directory.path, 'team')]),
    startDev([], { env: LOCAL }),
  ]);
});
afterAll(async () => {
  await Promise.all([server?.stop(), local?.stop()]);
  directory.remove();
});

describe('a list of API keys', () => {
  it('has the kind of each', async () => {
    expect((await run(['dev', 'workspaces', 'create', 'checkout'])).code).toBe(0);
    for (const kind of [['--admin'], [], ['--workspace', 'checkout']]) {
      expect((await run(['api-keys', 'create', '--name', 'ci', ...kind])).code).toBe(0);
    }

    const { stdout } = await run(['api-keys', 'list']);
    const [titles, ...rows] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/KIND +NAME$/);
    // The workspace came with a key.
    const kinds = ['workspace checkout  ci', 'ordinary ', 'admin ', 'workspace checkout  ', 'admin '];
    expect(rows).toEqual(kinds.map((kind) => expect.stringContaining(`Z  ${kind}`)));

    const { api_keys } = JSON.parse((await run(['api-keys', 'list', '--json'])).stdout);
    expect(api_keys[0]).toMatchObject({ name: 'ci', kind: 'workspace', workspace: 'checkout' });
  });

  it('has no kinds where all keys are ordinary', async () => {
    expect((await svc(['api-keys', 'list'], { env: LOCAL })).stdout).not.toContain('KIND');
  });
});

describe('the advice for a key that is refused', () => {
  const unknown = { SVC_API_KEY: 'svc_test_unknown' };

  it('names its source, and who creates keys', async () => {
    const { code, stderr } = await run(['emails', 'list'], unknown);
    expect(code).toBe(4);
    expect(stderr).toContain(
      '\nThe key comes from SVC_API_KEY. Use another with --api-key, SVC_API_KEY or --profile. ',
    );
    expect(stderr).toContain('"svc dev env" prints that of the local server.');
    expect(stderr).toContain('someone with an admin key creates another with "svc api-keys create".');
  });

  it.each([
    ['a variable', [], unknown, 'unset SVC_API_KEY'],
    ['a flag', ['--api-key', 'svc_test_unknown'], {}, 'omit --api-key'],
  ])('suggests SVC_BASE_URL when the local server refuses the key of %s', async (_, flags, env, advice) => {
    const { code, stderr } = await svc(['emails', 'list', ...flags], { env: { ...LOCAL, ...env } });
    expect(code).toBe(4);
    expect(stderr).toContain('because SVC_BASE_URL is not set. Set SVC_BASE_URL to the address of the key’s server');
    expect(stderr).toContain(advice);
  });
});

describe('the key of SVC_API_KEY', () => {
  const NEXT_KEY = `${ADMIN_KEY}_next`;
  const folder = join(directory.path, 'restarted');
  const restarted = (key: string) => startServe(['--data-dir', folder], { env: { SVC_API_KEY: key } });
  const keysOf = async ({ ready }: TeamServer, key: string) => {
    const env = { SVC_BASE_URL: ready.base_url, SVC_API_KEY: key };
    return { env, keys: JSON.parse((await svc(['api-keys', 'list', '--json'], { env })).stdout).api_keys };
  };

  it('is replaced by a start with another, and valid again, with a warning, after it was revoked', async () => {
    const first = await restarted(ADMIN_KEY);
    await first.stop();
    expect(first.log.join('\n')).not.toContain('is an admin key from now on');

    const second = await restarted(NEXT_KEY);
    const { env, keys } = await keysOf(second, NEXT_KEY);
    const notice = `The key of SVC_API_KEY is an admin key from now on: ${keys[0].id}.`;
    await second.logged(({ level, msg }) => level === 'warn' && msg.startsWith(notice));
    expect((await svc(['api-keys', 'revoke', keys[1].id, '--yes'], { env })).code).toBe(0);
    await second.stop();

    const third = await restarted(ADMIN_KEY);
    const again = (await keysOf(third, ADMIN_KEY)).keys[0].id;
    expect(again).not.toBe(keys[1].id);
    await third.logged(({ level, msg }) => level === 'warn' && msg.includes(`from now on: ${again}. Until this`));
    await third.stop();
  });

  it('is valid again, with a warning, after it was revoked as the only key', async () => {
    const start = () => startServe(['--data-dir', join(directory.path, 'revoked')]);
    const first = await start();
    const { env, keys } = await keysOf(first, ADMIN_KEY);
    expect((await svc(['api-keys', 'revoke', keys[0].id, '--yes'], { env })).code).toBe(0);
    await first.stop();

    const second = await start();
    const [again] = (await keysOf(second, ADMIN_KEY)).keys;
    await second.logged(({ level, msg }) => level === 'warn' && msg.includes(`from now on: ${again.id}. Until this`));
    await second.stop();
  });

  it('is revoked only after a confirmation if no other is an admin key, also on this machine', async () => {
    const only = await startServe(['--data-dir', join(directory.path, 'only')]);
    const { env, keys } = await keysOf(only, ADMIN_KEY);
    const revoke = ['api-keys', 'revoke', keys[0].id];

    const { code, stderr } = await svc(revoke, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`Pass --yes to revoke ${keys[0].id}, the last admin key, on `);
    expect((await svc([...revoke, '--yes'], { env })).stderr).toContain(
      'warning: No admin key is left. To administrate the server again, restart it with a key in SVC_API_KEY.',
    );
    expect((await svc(['emails', 'list'], { env })).code).toBe(4);
    await only.stop();
  });

  it('must be long enough', async () => {
    const { code, stderr } = await svc(['serve'], { env: { ...LOCAL, SVC_API_KEY: 'svc_test_0123456789abcde' } });
    expect(code).toBe(2);
    expect(stderr).toContain('The API key has only 24 characters, and must have at least 25.\nGenerate one with: ');
    expect(stderr).not.toContain('abcde');
  });
});

it('counts the keys that an import brings, and those of them that are admin keys', async () => {
  const archive = join(directory.path, 'state.tar.gz');
  expect((await run(['dev', 'export', archive])).code).toBe(0);
  const other = await startServe(['--data-dir', join(directory.path, 'other')]);
  const env = { SVC_BASE_URL: other.ready.base_url };

  const { code, stderr } = await run(['dev', 'import', archive, '--yes'], env);
  expect(code).toBe(0);
  expect(stderr).toContain('5 API keys of the archive are valid on this server, 2 of them admin keys. List them');
  await other.stop();
});
