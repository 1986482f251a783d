import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { expectRefusal } from '../../support/cli/refusal.js';
import { openTerminal } from '../../support/cli/terminal/terminal.js';
import { unusedPort } from '../../support/servers/ports.js';
import { type RelayServer, startRelayServer } from '../../support/servers/relay-server.js';

/** Tests the settings of `svc dev --relay`, and `svc emails release` with its confirmation. */

let folder: ReturnType<typeof temporaryDirectory>;
let config: string;
beforeAll(() => {
  folder = temporaryDirectory();
  config = join(folder.path, 'config');
  mkdirSync(config);
});
afterAll(() => folder.remove());

const writeRelays = (relays: unknown) =>
  writeFileSync(join(config, 'relays.json'), typeof relays === 'string' ? relays : JSON.stringify(relays));

describe('svc dev refuses', () => {
  const dev = (args: string[], env: Record<string, string> = {}, smtpPort = '0') =>
    svc(['dev', '--in-memory', '--http-port', '0', '--smtp-port', smtpPort, ...args], {
      env: { SVC_CONFIG_DIR: config, SVC_DATA_DIR: join(folder.path, 'data'), ...env },
    });

  beforeAll(() => {
    writeRelays({
      corp: { host: 'smtp.corp.test', user: 'svc', password_file: 'empty.txt' },
      missing: { host: 'smtp.corp.test', user: 'svc', password_file: 'missing.txt' },
    });
    writeFileSync(join(config, 'empty.txt'), '\nsecret\n');
  });

  it.each<[string, string[], RegExp]>([
    [
      'a URL with a password',
      ['--relay', 'smtp://user:secret@host'],
      /must not contain a password.*\n.*SVC_RELAY_PASS/,
    ],
    ['an address with a password', ['--relay', 'user:secret@host:587'], /--relay must be smtp:\/\/\[USER@\]HOST/],
    ['a user with a wrong escape', ['--relay', 'smtp://50%secret@host'], /the user has a %/],
    ['another protocol', ['--relay', 'http://host'], /--relay must be smtp:/],
    ['a path', ['--relay', 'smtp://host/path'], /--relay must be smtp:/],
    ['another TLS mode', ['--relay', 'smtp://host?tls=x'], /tls must be one of none, opportunistic, starttls, tls/],
    [
      'a user without a password',
      ['--relay', 'smtp://user@host'],
      /No password for user at host\..*\n.*SVC_RELAY_PASS/,
    ],
    ['recipients without a relay', ['--relay-allow', '*'], /need --relay/],
    [
      'a pattern that matches no address',
      ['--relay', 'smtp://host', '--auto-release', 'corp'],
      /--auto-release must be/,
    ],
    ['a name that is similar', ['--relay', 'corb'], /Relay "corb" not found\.\nDid you mean corp\?/],
    ['an empty password', ['--relay', 'corp'], /password_file in relays\.json: .*empty\.txt has no password/],
    ['a password file that is missing', ['--relay', 'missing'], /missing\.txt cannot be read: no such file/],
    [
      'another password file that is missing',
      ['--relay', 'smtp://user@host', '--relay-password-file', 'none.txt'],
      /--relay-password-file: none\.txt cannot be read/,
    ],
  ])('%s', async (_, args, message) => {
    const code = /not found/.test(message.source) ? 1 : 2;
    await expectRefusal((words, env) => dev(words, env), { args, code, message });
    expect((await dev(args)).stderr).not.toContain('secret');
  });

  it('a file with other fields, or without JSON', async () => {
    const other = join(folder.path, 'other');
    mkdirSync(other);
    const run = (content: string) => {
      writeFileSync(join(other, 'relays.json'), content);
      return dev(['--relay', 'corp'], { SVC_CONFIG_DIR: other });
    };
    expect(await run('{"corp":{"host":"h","prot":1}}')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/corp/),
    });
    expect(await run('{')).toMatchObject({ code: 1, stderr: expect.stringMatching(/relays\.json cannot be read/) });
  });

  it('its own SMTP port', async () => {
    const port = String(await unusedPort());
    for (const host of ['127.0.0.1', 'localhost']) {
      const run = await dev(['--relay', `smtp://${host}:${port}?tls=none`], {}, port);
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('is the SMTP port of this server') });
    }
  });
});

describe('svc emails release', () => {
  let relay: RelayServer;
  let server: DevServer;

  beforeAll(async () => {
    relay = await startRelayServer();
    writeRelays({
      corp: {
        ...{ host: '127.0.0.1', port: relay.port, tls: 'none', user: 'svc', password_env: 'CORP_PASSWORD' },
        allow: ['*@corp.test'],
      },
    });
    server = await startDev(['--data-dir', join(folder.path, 'release'), '--relay', 'corp'], {
      env: { SVC_CONFIG_DIR: config, CORP_PASSWORD: 'right' },
    });
    const message = ['--from', 'shop@example.test', '--to', 'ada@corp.test', '--subject', 'Hi', '--text', 'Hi'];
    expect(await svc(['emails', 'send', ...message], { env: env() })).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await relay.close();
  });

  const env = () => ({ SVC_DATA_DIR: join(folder.path, 'release') });
  const release = (...args: string[]) => svc(['emails', 'release', 'latest', ...args], { env: env() });

  it('with --yes sends the message with the login of the relay’s profile', async () => {
    const before = relay.received.length;
    const run = await release('--yes');
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(/^127\.0\.0\.1:\d+ {2}250 .*\n$/) });
    expect(relay.received.slice(before)).toMatchObject([{ rcptTo: ['ada@corp.test'], user: 'svc' }]);
  });

  it('without a terminal needs --yes', async () => {
    const before = relay.received.length;
    expect(await release()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /Cannot ask for confirmation without a terminal\.\nPass --yes to send msg_\w+ to ada@corp\.test/,
      ),
    });
    expect(relay.received).toHaveLength(before);
  });

  it('exits with 4 for a recipient that is not allowed', async () => {
    const run = await release('--to', 'eve@example.test', '--yes');
    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining('is not an allowed recipient') });
  });

  it.each([
    ['n', 1, 0],
    ['y', 0, 1],
  ])('on a terminal accepts the answer %s', async (answer, code, sent) => {
    const before = relay.received.length;
    const command = [process.execPath, BINARY, 'emails', 'release', 'latest', '--to', 'bob@corp.test'];
    const terminal = await openTerminal(command, { env: env() });
    try {
      await terminal.until(/Send msg_\w+ to bob@corp\.test through a real SMTP server\? \[y\/N\]/s);
      terminal.press(answer);
      terminal.press('Enter');
      await terminal.until(new RegExp(`ended with ${code}`));
    } finally {
      await terminal.close();
    }
    expect(relay.received).toHaveLength(before + sent);
  });
});

describe('svc emails release to a relay with a certificate of an unknown authority', () => {
  it('names the variable with which the server trusts the authority', async () => {
    const relay = await startDev(['--data-dir', join(folder.path, 'tls'), '--smtp-tls-port', '0']);
    onTestFinished(async () => void (await relay.stop()));
    const { tls } = relay.ready as typeof relay.ready & { tls: { smtps: { port: number }; ca_file: string } };
    const env = { SVC_DATA_DIR: join(folder.path, 'untrusting') };
    const releaseWith = async (trust: Record<string, string>) => {
      const flags = ['--relay', `smtps://127.0.0.1:${tls.smtps.port}`, '--relay-allow', '*'];
      const server = await startDev([...flags, '--data-dir', env.SVC_DATA_DIR], { env: trust });
      const message = ['--from', 'shop@example.test', '--to', 'ada@corp.test', '--subject', 'Hi', '--text', 'Hi'];
      await svc(['emails', 'send', ...message], { env });
      const released = await svc(['emails', 'release', 'latest', '--yes'], { env });
      await server.stop();
      return released;
    };

    const { code, stderr } = await releaseWith({});
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('self-signed certificate') });
    expect(stderr).toContain('start the server with NODE_EXTRA_CA_CERTS=FILE');
    expect(await releaseWith({ NODE_EXTRA_CA_CERTS: tls.ca_file })).toMatchObject({ code: 0 });
  });
});
