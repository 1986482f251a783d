import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { refuseLocalKey } from '../../../src/cli/target/profiles.js';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests that the local server's key is not saved for another server. */

const REMOTE = 'https://api.example.com/v1';
const LOCAL = 'http://127.0.0.1:8025/v1';
const KEY = 'svc_test_local';
const REFUSAL = `This is the API key of the local server, and ${REMOTE} is another server.`;

describe('the API key of the local server', () => {
  const folder = folderOfEachTest();

  it('is refused by profiles add for another server, which is not saved', async () => {
    const env = { SVC_CONFIG_DIR: folder.path, SVC_API_KEY: KEY, SVC_BASE_URL: LOCAL };

    const { code, stderr } = await svc(['profiles', 'add', 'production', '--base-url', REMOTE], { env });

    expect(code).toBe(2);
    expect(stderr).toContain(
      `Error: ${REFUSAL}\nPass that server’s key on stdin with --api-key-stdin, or unset SVC_API_KEY and SVC_BASE_URL first.\n`,
    );
    expect((await svc(['profiles', 'show', 'production'], { env })).stderr).toContain('not found');
  });

  it('is refused if it is the key of the running server', () => {
    const dataDir = join(folder.path, '.svc');
    mkdirSync(dataDir);
    const server = {
      pid: process.pid,
      instance: 'x',
      base_url: LOCAL,
      smtp: { host: '127.0.0.1', port: 1025 },
      data_dir: dataDir,
      started_at: '2026-01-01T00:00:00.000Z',
      api_key: KEY,
      webhook_secret: 'whsec_x',
    };
    writeFileSync(join(dataDir, 'server.json'), JSON.stringify(server));

    expect(() => refuseLocalKey(KEY, REMOTE, { SVC_DATA_DIR: dataDir })).toThrow(REFUSAL);
    expect(() => refuseLocalKey('svc_test_other', REMOTE, { SVC_DATA_DIR: dataDir })).not.toThrow();
  });

  it.each([
    ['at an address of this machine', 'http://localhost:9/v1', KEY, { SVC_BASE_URL: LOCAL, SVC_API_KEY: KEY }],
    ['that is not the one of the environment', REMOTE, 'svc_test_b', { SVC_BASE_URL: LOCAL, SVC_API_KEY: KEY }],
    ['whose environment names that server', REMOTE, KEY, { SVC_BASE_URL: REMOTE, SVC_API_KEY: KEY }],
    ['of the live environment', REMOTE, 'svc_live_x', { SVC_BASE_URL: LOCAL, SVC_API_KEY: 'svc_live_x' }],
  ])('does not include a key %s', (_, baseUrl, key, env) => {
    expect(() => refuseLocalKey(key, baseUrl, { SVC_DATA_DIR: folder.path, ...env })).not.toThrow();
  });
});
