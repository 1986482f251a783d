import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';

/**
 * Tests which server a command uses: flag, then environment, then the chosen profile, then the running local server.
 */

describe('the server that a command uses', () => {
  const folder = temporaryDirectory();
  const own = { SVC_DATA_DIR: join(folder.path, 'data'), SVC_CONFIG_DIR: join(folder.path, 'config') };
  let local: DevServer;
  let remote: DevServer;

  beforeAll(async () => {
    local = await startDev(['--data-dir', own.SVC_DATA_DIR]);
    remote = await startDev(['--in-memory', '--no-control']);
    const production = ['profiles', 'add', 'production', '--base-url', remote.ready.base_url, '--api-key-stdin'];
    const { code, stderr } = await svc(production, { env: own, input: `${remote.ready.api_key}\n` });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });

  afterAll(async () => {
    await Promise.all([local.stop(), remote.stop()]);
    folder.remove();
  });

  async function used(args: string[] = [], env: Record<string, string> = {}) {
    const { stdout } = await svc(['whoami', '--json', ...args], { env: { ...own, ...env } });
    const { base_url, why, key_works } = JSON.parse(stdout);
    return { base_url, why, key_works };
  }

  const NOWHERE = { SVC_BASE_URL: 'http://127.0.0.1:1/v1', SVC_API_KEY: 'svc_test_x' };

  it('is the running local one by default', async () => {
    const { base_url } = local.ready;
    const ofLocal = { base_url, why: expect.stringContaining('is running'), key_works: true };
    expect(await used()).toMatchObject(ofLocal);
    // CI leaves a variable empty when its secret is missing.
    expect(await used([], { SVC_PROFILE: '', SVC_BASE_URL: '', SVC_API_KEY: '' })).toMatchObject(ofLocal);
  });

  it('is reported as not running when SVC_BASE_URL names one that was stopped, with and without a key', async () => {
    const { SVC_BASE_URL } = NOWHERE;
    const start = 'Start it with "svc dev --http-port 1", or unset SVC_BASE_URL.';

    expect(await svc(['emails', 'list', '--retries', '0'], { env: { ...own, ...NOWHERE } })).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`\nThe local server at that address is not running. ${start}\n`),
    });
    expect(await svc(['emails', 'list'], { env: { ...own, SVC_BASE_URL } })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `The local server of this data directory is not running at that address. ${start}`,
      ),
    });
    const named = ['emails', 'list', '--base-url', SVC_BASE_URL, '--retries', '0'];
    expect((await svc(named, { env: { ...own, SVC_API_KEY: 'svc_test_x' } })).stderr).toContain(
      'Start it with "svc dev --http-port 1", or check --base-url and the profile.',
    );
  });

  it('is that of the profile that a flag or the environment names, with its key', async () => {
    const { base_url } = remote.ready;
    const named = { base_url, key_works: true };

    expect(await used(['--profile', 'production'], NOWHERE)).toMatchObject(named);
    expect(await used([], { SVC_PROFILE: 'production' })).toMatchObject(named);
    // CI leaves a variable empty when its secret is missing.
    expect(await used([], { SVC_PROFILE: 'production', SVC_BASE_URL: '', SVC_API_KEY: '' })).toMatchObject(named);
  });

  it('is the flag’s before the environment’s, and that before the chosen profile’s', async () => {
    const { base_url, api_key } = remote.ready;
    const named = ['--base-url', base_url, '--api-key', api_key];
    expect(await used(named, NOWHERE)).toEqual({ base_url, why: '--base-url', key_works: true });

    expect((await svc(['profiles', 'use', 'production'], { env: own })).code).toBe(0);
    expect(await used()).toMatchObject({ base_url, why: expect.stringContaining('production'), key_works: true });
    const ofLocal = { SVC_BASE_URL: local.ready.base_url, SVC_API_KEY: local.ready.api_key };
    expect(await used([], ofLocal)).toMatchObject({ base_url: local.ready.base_url, why: 'SVC_BASE_URL' });
  });

  it('is that of a data directory before the environment’s and the chosen profile’s', async () => {
    const named = ['--data-dir', own.SVC_DATA_DIR];
    const ofLocal = { base_url: local.ready.base_url, key_works: true };
    expect(await used(named, NOWHERE)).toMatchObject(ofLocal);

    expect((await svc(['profiles', 'use', 'production'], { env: own })).code).toBe(0);
    expect(await used(named)).toMatchObject(ofLocal);
  });

  it('is the local one with the profile local, whatever else is set: as the advice after a refusal suggests', async () => {
    expect((await svc(['profiles', 'use', 'production'], { env: own })).code).toBe(0);
    const refused = await svc(['dev', 'clock', 'show'], { env: own });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('another server') });

    expect(await used(['--profile', 'local'], NOWHERE)).toMatchObject({ base_url: local.ready.base_url });
    expect((await svc(['dev', 'clock', 'show', '--profile', 'local'], { env: { ...own, ...NOWHERE } })).code).toBe(0);
  });
});
