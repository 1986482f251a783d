import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { expectHint } from '../../support/cli/refusal.js';

const folder = temporaryDirectory();
const env = { SVC_DATA_DIR: join(folder.path, 'data'), SVC_CONFIG_DIR: join(folder.path, 'config') };
const run = (args: string[]) => svc(args, { cwd: folder.path, env });

describe('a command line with a misspelling', () => {
  beforeAll(async () => {
    cpSync(join(ROOT, 'templates/welcome'), join(folder.path, 'templates/welcome'), { recursive: true });
    const production = ['profiles', 'add', 'production', '--base-url', 'https://api.example.test/v1'];
    expect((await svc(production, { env: { ...env, SVC_API_KEY: 'svc_live_x' } })).code).toBe(0);
  });

  afterAll(() => folder.remove());

  const wrong: [string, string[], string][] = [
    ['a topic', ['email', 'send'], 'Did you mean "svc emails send"?'],
    ['a topic alone', ['emial'], 'Did you mean "svc emails"?'],
    ['a command', ['emails', 'sned'], 'Did you mean "svc emails send"?'],
    ['a command with arguments', ['emails', 'gte', 'latest'], 'Did you mean "svc emails get"?'],
    ['a topic of a topic', ['dev', 'clok', 'advance', '3m'], 'Did you mean "svc dev clock advance"?'],
    ['a topic without its topic', ['clock'], 'Did you mean "svc dev clock"?'],
    ['a command without its first topic', ['clock', 'advance', '1h'], 'Did you mean "svc dev clock advance"?'],
    ['a topic that resembles another', ['sessions', 'list'], 'Did you mean "svc smtp sessions"?'],
    ['a word of many commands', ['list'], 'Run "svc --help".'],
    ['a command without its topic', ['send', '--to', 'ada@example.test'], 'Did you mean "svc emails send"?'],
    ['a topic whose help is wanted', ['emial', '--help'], 'Did you mean "svc emails"?'],
    ['a command whose help is wanted', ['help', 'emails', 'lst'], 'Did you mean "svc emails list"?'],
    ['a flag of svc itself', ['--versoin'], 'Did you mean --version?'],
    ['a command that is near nothing', ['frobnicate'], 'Run "svc --help".'],
    ['a command of a topic that is near nothing', ['emails', 'frobnicate'], 'Run "svc emails --help".'],
    ['a command, and more after it', ['emails', 'lst', 'x'], 'Did you mean "svc emails list"?'],
    ['a flag', ['emails', 'send', '--subjct', 'x'], 'Did you mean --subject?'],
    ['a flag without a value', ['emails', 'list', '--stauts'], 'Did you mean --status?'],
    ['a flag with one dash', ['emails', 'send', '-to', 'x'], 'Did you mean --to?'],
    ['a flag that every call has', ['emails', 'list', '--profle', 'x'], 'Did you mean --profile?'],
    ['the last word of two flags', ['dev', '--port', '0'], 'Did you mean --http-port, --smtp-port or --lmtp-port?'],
    ['a switch turned off', ['dev', '--no-contrl'], 'Did you mean --no-control?'],
    ['a flag that is near nothing', ['emails', 'list', '--bogus'], 'Run "svc emails list --help".'],
    ['an event', ['webhooks', 'trigger', 'emial.delivered'], 'Did you mean email.delivered?'],
    [
      'an event of a list',
      ['webhooks', 'listen', '--forward-to', ':1', '--events', 'email.sent,email.bounecd'],
      'Did you mean email.bounced?',
    ],
    ['an option', ['analytics', '--by', 'wek'], 'Did you mean week?'],
    ['a state of an email', ['emails', 'list', '--status', 'delivred'], 'Did you mean delivered?'],
    [
      'an event of a list that is asked for',
      ['webhooks', 'deliveries', '--event', 'email.snt'],
      'Did you mean email.sent?',
    ],
    [
      'an event to subscribe to',
      ['webhooks', 'create', '--url', 'https://a.test', '--events', 'email.clikced'],
      'Did you mean email.clicked?',
    ],
    [
      'an event without its subject',
      ['webhooks', 'create', '--url', 'https://a.test', '--events', 'bounced'],
      'Did you mean email.bounced?',
    ],
    [
      'the end of several events',
      ['webhooks', 'trigger', 'created'],
      expect.stringMatching(/^Choose from: email\.sent, .*api_key\.revoked\.$/),
    ],
    ['a plan', ['dev', '--plan', 'entreprise'], 'Did you mean enterprise?'],
    ['a kind of DNS', ['dev', '--dns', 'reel'], 'Did you mean real?'],
    ['a method', ['logs', 'list', '--method', 'PSOT'], 'Did you mean POST?'],
    ['a kind of key', ['api-keys', 'create', '--name', 'x', '--environment', 'liev'], 'Did you mean live?'],
    ['a kind of bounce', ['emails', 'simulate', 'latest', 'bounced', '--bounce-type', 'sotf'], 'Did you mean soft?'],
    ['an outcome', ['emails', 'simulate', 'latest', 'bouncd'], 'Did you mean bounced?'],
    ['a starter', ['templates', 'init', 'recipt'], 'Did you mean receipt?'],
  ];

  it.each(wrong)('gets a suggestion, and exits with 2: %s', (_, args, hint) => expectHint(run, args, 2, hint));

  it.each([
    ['emails list', ['x'], 'Unexpected argument: x; "svc emails list" takes no arguments.'],
    ['emails list', ['x', 'y', '--limit', '5'], 'Unexpected arguments: x, y; "svc emails list" takes no arguments.'],
    ['whoami', ['me'], 'Unexpected argument: me; "svc whoami" takes no arguments.'],
    ['dev clock show', ['now'], 'Unexpected argument: now; "svc dev clock show" takes no arguments.'],
    ['emails list', ['--limit', '5', 'x'], 'Unexpected argument: x'],
    ['emails list', ['x', '--help'], 'Unexpected argument: x; "svc emails list" takes no arguments.'],
  ])('is refused because %s takes no argument: %j', async (command, more, message) => {
    const args = [...command.split(' '), ...more];
    const hint = `Run "svc ${command} --help".`;

    expect(await run(args)).toEqual({ code: 2, stdout: '', stderr: `Error: ${message}\n${hint}\n` });

    const machine = await run([...args, '--json']);
    expect(machine).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(machine.stderr).error).toMatchObject({ code: 'usage_error', message, hint });
  });

  it.each([
    [['start'], 'Did you mean "svc dev"?'],
    [['dev', 'start'], 'Did you mean "svc dev"?'],
    [['emails', 'search'], 'Did you mean "svc emails list --search"?'],
    [['emails', 'show', 'latest'], 'Did you mean "svc emails get"?'],
  ])('gets the command for a word of another tool: %j', (args, hint) => expectHint(run, args, 2, hint));

  it.each([
    [['emails', 'send', 'ada@x.test'], 'Did you mean --to ada@x.test?'],
    [['emails', 'wait', 'ada@x.test'], 'Did you mean --to ada@x.test?'],
    [['webhooks', 'create', 'http://x.test/'], 'Did you mean --url http://x.test/?'],
    [['webhooks', 'listen', 'http://x.test/'], 'Did you mean --forward-to http://x.test/?'],
    [['whoami', 'ada@x.test'], 'Run "svc whoami --help".'],
  ])('gets the flag for an address or a URL: %j', (args, hint) => expectHint(run, args, 2, hint));

  it.each([
    ['a profile', ['profiles', 'use', 'prodcution'], 'Did you mean production?'],
    ['a template directory', ['templates', 'render', 'welcom'], 'Did you mean "welcome"?'],
  ])('gets the name that exists, and exits with 1: %s', (_, args, hint) => expectHint(run, args, 1, hint));
});
