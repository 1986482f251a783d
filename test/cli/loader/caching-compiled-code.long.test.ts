import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT, svc, temporaryDirectory } from '../../support/cli/binary.js';

/** Tests the cache of compiled code: one run writes it for the next, and it only ever saves time. */

let folder: ReturnType<typeof temporaryDirectory>;
let cacheHome: string;

beforeEach(() => {
  folder = temporaryDirectory();
  cacheHome = join(folder.path, 'cache');
});

afterEach(() => folder.remove());

const list = (env: Record<string, string> = {}) =>
  svc(['emails', 'list', '--json'], {
    env: { XDG_CACHE_HOME: cacheHome, SVC_DATA_DIR: join(folder.path, 'data'), ...env },
  });

const NOTHING_SENT = { code: 0, stdout: expect.stringContaining('"emails":[]'), stderr: '' };

/** Returns the directories of compiled code: one for each build and version of Node. */
const builds = () => readdirSync(join(cacheHome, 'svc/code')).map((name) => join(cacheHome, 'svc/code', name));

function kept(): string[] {
  const [directory] = builds();
  return readdirSync(directory!).map((name) => join(directory!, name));
}

/** Identifies each cache file; one that is written again is another file. */
const identities = () => kept().map((file) => `${file} ${statSync(file).ino}`);

const sizes = () => new Map(kept().map((file) => [file, statSync(file).size]));
const total = (each: Map<string, number>) => [...each.values()].reduce((sum, size) => sum + size, 0);

describe('compiled code', () => {
  it('is readable by its owner only, and used unchanged by the next run', async () => {
    expect(await list()).toEqual(NOTHING_SENT);
    const before = identities();
    expect(before.length).toBeGreaterThan(10);

    expect(await list()).toEqual(NOTHING_SENT);

    expect(identities()).toEqual(before);
    expect(new Set(kept().map((file) => statSync(file).mode & 0o777))).toEqual(new Set([0o600]));
    expect(statSync(builds()[0]!).mode & 0o777).toBe(0o700);
  });

  it('that is damaged is compiled again, whatever the damage', async () => {
    const damages: ((file: string) => void)[] = [
      (file) => flip(file, 0),
      (file) => flip(file, statSync(file).size >> 1),
      (file) => flip(file, statSync(file).size - 1),
      (file) => writeFileSync(file, Buffer.alloc(statSync(file).size)),
      (file) => truncateSync(file, statSync(file).size >> 1),
      (file) => truncateSync(file),
    ];
    await list();
    const before = identities();
    expect(before.length).toBeGreaterThan(damages.length);
    for (const [index, file] of kept().entries()) damages[index % damages.length]?.(file);

    expect(await list()).toEqual(NOTHING_SENT);

    expect(identities().filter((each) => before.includes(each))).toEqual([]);
  });

  it('grows with the first run of each command only', async () => {
    const help = () => svc(['--help'], { env: { XDG_CACHE_HOME: cacheHome } });
    expect(await help()).toMatchObject({ code: 0 });
    const poor = sizes();

    expect(await list()).toEqual(NOTHING_SENT);

    const grown = sizes();
    for (const [file, size] of poor) expect(grown.get(file)).toBeGreaterThanOrEqual(size);
    expect(total(new Map([...grown].filter(([file]) => poor.has(file))))).toBeGreaterThan(total(poor) * 1.05);
    const before = identities();
    await list();
    await help();
    expect(identities()).toEqual(before);
  });

  it('is not used for another source of the same length', async () => {
    const app = join(folder.path, 'app');
    for (const each of ['bin', 'dist', 'oclif.manifest.json', 'package.json'])
      cpSync(join(ROOT, each), join(app, each), { recursive: true });
    const version = () =>
      svc(['--version'], { binary: join(app, 'bin/run.js'), env: { XDG_CACHE_HOME: cacheHome } }).then(
        ({ stdout }) => stdout,
      );
    const { version: shipped } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await version()).toContain(`/${shipped} `);

    const other = shipped.replaceAll(/\d/g, '9');
    for (const entry of readdirSync(join(app, 'dist'), { recursive: true, encoding: 'utf8' })) {
      const file = join(app, 'dist', entry);
      if (!entry.endsWith('.js')) continue;
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"${shipped}"`, `"${other}"`));
    }

    expect(await version()).toContain(`/${other} `);
  });

  it('is neither read nor written where others may write', async () => {
    await list();
    for (const file of kept()) rmSync(file);
    chmodSync(builds()[0]!, 0o777);

    expect(await list()).toEqual(NOTHING_SENT);

    expect(kept()).toEqual([]);
  });

  it('is not kept when the cache directory cannot be created, without a message', async () => {
    writeFileSync(cacheHome, 'a file');

    expect(await list()).toEqual(NOTHING_SENT);

    expect(readFileSync(cacheHome, 'utf8')).toBe('a file');
  });

  it('is not kept when NODE_DISABLE_COMPILE_CACHE is set', async () => {
    expect(await list({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(NOTHING_SENT);

    expect(readdirSync(folder.path)).toEqual(['data']);
  });

  it('of removed builds is deleted, except for the newest', async () => {
    for (let number = 1; number <= 10; number += 1) {
      mkdirSync(join(cacheHome, 'svc/code', `build-${number}`), { recursive: true });
    }

    await list();

    expect(builds()).toHaveLength(8);
    expect(builds().some((directory) => readdirSync(directory).length > 10)).toBe(true);
  });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at]! ^= 0x55;
  writeFileSync(file, bytes);
}
