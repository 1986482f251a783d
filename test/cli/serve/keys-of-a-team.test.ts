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
    for (const kind of [['--administrating'], [], ['--workspace', 'checkout']]) {
      expect((await run(['api-keys', 'create', '--name', 'ci', ...kind])).code).toBe(0);
    }

    const { stdout } = await run(['api-keys', 'list']);
    const [titles, ...rows] = stdout.trimEnd().split('\n');
    expect(titles).toMatch(/KIND +NAME$/);
    // The workspace came with a key.
    const kinds = ['workspace checkout  ci', 'ordinary ', 'administrating ', 'workspace checkout  ', 'administrating '];
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
    expect(stderr).toContain('someone with an administrating key creates another with "svc api-keys create".');
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
