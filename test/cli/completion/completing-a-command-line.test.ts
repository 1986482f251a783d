import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { offered } from '../../support/cli/completion.js';
import { refuses, type ScriptedServer, startScripted, staysSilent } from '../../support/servers/scripted-server.js';

/**
 * Tests the completions of a word that are the same on every server; test/cli/on-every-server tests the names on a
 * server.
 */

const folder = temporaryDirectory();
const home = folder.path;
const dataDir = join(home, 'data');
const env = { SVC_DATA_DIR: dataDir, SVC_CONFIG_DIR: join(home, 'profiles') };
const values = (words: string[], more: Record<string, string> = {}) =>
  offered(words, { cwd: home, env: { ...env, ...more } });

beforeAll(async () => {
  const production = ['profiles', 'add', 'production', '--base-url', 'https://api.example.test/v1'];
  expect((await svc(production, { env: { ...env, SVC_API_KEY: 'svc_live_x' } })).code).toBe(0);
});

afterAll(() => folder.remove());

describe('completing a command line', () => {
  const cases: [string, string[], unknown][] = [
    ['topics and commands', ['em'], ['emails']],
    ['commands of a topic', ['emails', 's'], ['screenshot', 'send', 'simulate']],
    ['what is command and topic', ['dev', ''], expect.arrayContaining(['exec', 'clock'])],
    ['topics of a topic', ['dev', 'clock', 'a'], ['advance']],
    ['what help can be had of', ['help', 'emails', 's'], ['screenshot', 'send', 'simulate']],
    ['shells', ['completion', ''], ['bash', 'zsh', 'fish']],
    ['flags', ['emails', 'list', '--st'], ['--status']],
    ['flags of every command', ['emails', 'list', '--pro'], ['--profile']],
    ['flags of a command that is a topic', ['dev', '--http'], ['--http-port']],
    ['both forms of a switch', ['dev', '--'], expect.arrayContaining(['--control', '--no-control'])],
    ['no flag a second time', ['emails', 'list', '--all', '--a'], ['--api-key']],
    ['a repeatable flag again', ['emails', 'send', '--tag', 'a', '--ta'], ['--tag']],
    ['no flag that excludes one given', ['emails', 'get', 'latest', '--raw', '--h'], ['--help']],
    ['options of a flag', ['analytics', '--by', ''], ['day', 'week', 'month']],
    ['options after =', ['analytics', '--by=w'], ['--by=week']],
    ['states of an email', ['emails', 'list', '--status', 'd'], ['delivered']],
    ['outcomes', ['emails', 'simulate', 'latest', 'b'], ['bounced']],
    ['outcomes as a flag', ['dev', 'rules', 'add', '--outcome', 's'], ['soft-bounced']],
    ['recipients that meet an outcome', ['emails', 'send', '--to', 'cl'], ['clicked@simulator.test']],
    ['an event', ['webhooks', 'trigger', 'email.d'], ['email.delivered', 'email.dropped']],
    ['events', ['webhooks', 'listen', '--events', 'email.sent,domain'], ['email.sent,domain.verified']],
    ['no event twice', ['webhooks', 'listen', '--events', 'email.sent,email.s'], []],
    ['the fields of a query', ['emails', 'assert', '--search', 'tag:a -su'], ['tag:a -subject:']],
    ['the words of a query', ['emails', 'assert', '--search=has:a'], ['--search=has:attachment']],
    ['the newest delivery', ['webhooks', 'deliveries', 'lat'], ['latest']],
    ['an email as a flag', ['webhooks', 'trigger', 'email.sent', '--email', 'lat'], ['latest']],
    ['starters', ['templates', 'init', 're'], ['receipt']],
    ['profiles', ['profiles', 'use', ''], ['local', 'production']],
    ['profiles as a flag', ['emails', 'list', '--profile', 'p'], ['production']],
    ['only global flags for an unknown command', ['bogus', ''], ['--version', '--help']],
  ];

  it.each(cases)('%s', async (_, words, expected) => {
    const { code, stderr, names } = await values(words);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(names.map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ['check', 'files'],
    ['get', 'nothing'],
  ])('leaves files to the shell only where one can replace an ID: emails %s', async (command, fallback) => {
    const { stdout } = await svc(['completion-values', '--', 'emails', command, './o'], { cwd: home, env });

    expect(stdout.split('\t')[0]).toBe(fallback);
  });
});

describe('completing names that are not available quickly', () => {
  let scripted: ScriptedServer | undefined;
  afterEach(async () => {
    await scripted?.close();
    scripted = undefined;
  });

  it('offers none, and creates nothing, without a data directory', async () => {
    expect(await values(['emails', 'get', 'm'])).toEqual({ code: 0, stderr: '', names: [] });
    expect(existsSync(dataDir)).toBe(false);
  });

  it('offers none, without a message, from a database or a profile file that cannot be read', async () => {
    const broken = join(home, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'mail.db'), 'no database');
    writeFileSync(join(broken, 'profiles.json'), '{');

    for (const words of [
      ['emails', 'get', 'm'],
      ['profiles', 'use', ''],
    ]) {
      const answer = await values(words, { SVC_DATA_DIR: broken, SVC_CONFIG_DIR: broken });
      expect(answer).toEqual({ code: 0, stderr: '', names: [] });
    }
  });

  it.each([
    ['never answers: the shell is not kept waiting', staysSilent],
    ['refuses', refuses(500, 'internal_error')],
  ])('offers none from a server that %s', async (_, step) => {
    scripted = await startScripted([step]);
    const named = { SVC_BASE_URL: scripted.baseUrl, SVC_API_KEY: 'svc_test_x' };

    for (const words of [
      ['emails', 'get', 'msg_'],
      ['api-keys', 'revoke', ''],
      ['dev', 'rules', 'remove', ''],
    ])
      expect(await values(words, named)).toEqual({ code: 0, stderr: '', names: [] });
  });

  it('offers those of a stopped server process: its database can be read', async () => {
    const stopped = join(home, 'stopped');
    const dev = await startDev(['--data-dir', stopped]);
    dev.child.kill('SIGSTOP');

    const { names } = await values(['api-keys', 'revoke', ''], { SVC_DATA_DIR: stopped });

    await dev.stop('SIGKILL');
    expect(names).toMatchObject([{ about: 'Local server' }]);
  });
});
