import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const PARTIES = 5;

/** Pauses a process that has found no credentials until all of them have. */
const WAIT_FOR_THE_OTHERS = `
const fs = require('node:fs');
const { existsSync } = fs;
const turn = new Int32Array(new SharedArrayBuffer(4));
fs.existsSync = (path) => {
  const there = existsSync(path);
  if (!there && String(path).endsWith('credentials.json')) {
    fs.writeFileSync(process.env.BARRIER + '/' + process.pid, '');
    while (fs.readdirSync(process.env.BARRIER).length < Number(process.env.PARTIES)) Atomics.wait(turn, 0, 0, 1);
  }
  return there;
};
require('node:module').syncBuiltinESMExports();
`;

describe('a data directory that does not exist yet', () => {
  const folder = folderOfEachTest();
  let dataDir: string;

  beforeEach(() => {
    dataDir = join(folder.path, 'data');
  });

  it('gets one key and one secret, however many commands start at once', async () => {
    const begin = (env = {}) => svc(['webhooks', 'secret', '--json', '--data-dir', dataDir], { env });
    const barrier = join(folder.path, 'barrier');
    mkdirSync(barrier);
    const preload = join(folder.path, 'wait-for-the-others.cjs');
    writeFileSync(preload, WAIT_FOR_THE_OTHERS);
    const held = { NODE_OPTIONS: `--require ${preload}`, BARRIER: barrier, PARTIES: String(PARTIES) };

    const finished = await Promise.all(Array.from({ length: PARTIES }, () => begin(held)));

    expect(readdirSync(barrier)).toHaveLength(PARTIES);
    for (const { code, stderr } of finished) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const secrets = new Set(finished.map(({ stdout }) => JSON.parse(stdout).webhook_secret));
    expect(secrets).toEqual(new Set([JSON.parse((await begin()).stdout).webhook_secret]));
    expect(readdirSync(dataDir).filter((name) => /^credentials/.test(name))).toEqual(['credentials.json']);
  });

  it('is accessible to its owner only, including the database and its log', async () => {
    await folder.startServer(['--data-dir', dataDir]);

    const modes = Object.fromEntries(
      ['', ...readdirSync(dataDir)].map((name) => [name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]),
    );
    expect(modes).toEqual({
      '': '700',
      'credentials.json': '600',
      'mail.db': '600',
      'mail.db-shm': '600',
      'mail.db-wal': '600',
      'server.json': '600',
      'server.lock': '600',
    });
  });
});
