import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatSettings } from '../../../src/cli/server/settings/formats.js';
import { type Framework, frameworkSettings } from '../../../src/cli/server/settings/frameworks.js';
import { BINARY, type DevServer, NOWHERE, ROOT, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import { data, resetServer } from '../../support/servers/server-calls.js';
import { closeSmtpServersAfterEach, listenForSmtp } from '../../support/servers/smtp-server.js';

/** Tests the output of svc dev env with the shells, readers and mail libraries that it is for. */

const VARIABLES = {
  SVC_BASE_URL: 'http://127.0.0.1:8025/v1',
  SVC_API_KEY: 'svc_test_local',
  SVC_SMTP_PORT: '1025',
  SVC_DATA_DIR: '/home/ada/it\'s a "test" $HOME',
};
const NAMES = Object.keys(VARIABLES);

const SYMFONY = '/usr/share/php/Symfony/Component/Mailer/autoload.php';
const withoutFish = skippedWithout('fish');
const withoutRuby = skippedWithout('ruby');

describe('the variables of the local server', () => {
  const evaluates = (shell: 'sh' | 'fish') => {
    const show = NAMES.map((name) => `printf '%s\\n' "$${name}"`);
    const script = [formatSettings(shell, VARIABLES), ...show].join('\n');

    expect(execFileSync(shell, ['-c', script], { encoding: 'utf8' })).toBe(`${Object.values(VARIABLES).join('\n')}\n`);
  };

  it('sh evaluates its format to the values', () => evaluates('sh'));

  it.skipIf(withoutFish)(`fish evaluates its format to the values${withoutFish}`, () => evaluates('fish'));

  it('a .env file and JSON contain the values', () => {
    const plain = { ...VARIABLES, SVC_DATA_DIR: "/home/ada/it's a test" };

    expect(parseEnv(formatSettings('dotenv', plain))).toEqual(plain);
    expect(JSON.parse(formatSettings('json', VARIABLES))).toEqual(VARIABLES);
  });

  it.each(['a $HOME "x" `y` \\z # 1', "o'brien # 1"])('a .env file contains %s', (value) => {
    expect(parseEnv(formatSettings('dotenv', { VALUE: value }))).toEqual({ VALUE: value });
  });

  it.each([
    ['dotenv', "o'brien $HOME"],
    ['dotenv', `q'u"x`],
    ['dotenv', "b'k\\s"],
    ['dotenv', 'a\nB=1'],
    ['github', 'a\nB=1'],
  ] as const)('%s refuses %j, which its readers understand differently', (format, value) => {
    expect(() => formatSettings(format, { VALUE: value })).toThrow(
      `The value of VALUE cannot be written in the format ${format}.`,
    );
  });

  it('a line for GITHUB_ENV contains a value as it is, and PowerShell doubles every single quote', () => {
    expect(formatSettings('github', VARIABLES)).toContain(`SVC_DATA_DIR=${VARIABLES.SVC_DATA_DIR}\n`);
    expect(formatSettings('powershell', VARIABLES)).toContain(`$env:SVC_DATA_DIR = '/home/ada/it''s a "test" $HOME'\n`);
    const quotes = formatSettings('powershell', { VALUE: 'a‘b’c‚d‛; echo x' });
    expect(quotes).toBe(`$env:VALUE = 'a‘‘b’’c‚‚d‛‛; echo x'\n`);
  });

  it('fails where a shell evaluates the output of dev env, when no server is running', () => {
    const script = `eval "$('${process.execPath}' '${BINARY}' dev env)"; echo reached`;

    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', script], {
      encoding: 'utf8',
      env: { ...process.env, SVC_DATA_DIR: NOWHERE },
    });

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('it is not running');
  });

  it('prints nothing for a file when no server is running', async () => {
    const { code, stdout } = await svc(['dev', 'env', '--format', 'github', '--data-dir', NOWHERE]);

    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  });
});

describe('the settings for a library', () => {
  closeSmtpServersAfterEach();

  const withoutGo = skippedWithout('go');
  /** The first run of a Go program compiles the standard library: for three minutes on a slow, busy machine. */
  const COMPILING_MS = 600_000;
  // Go reads no program from its input, and SSL_CERT_FILE only from its environment.
  const goRun =
    'f=$(mktemp -d)/main.go; cat > "$f"; ca=$(sed -n "s/.*SSL_CERT_FILE=\\(.*\\) go run.*/\\1/p" "$f"); ' +
    'export SSL_CERT_FILE="$ca"; [ -n "$ca" ] || unset SSL_CERT_FILE; go run "$f"';
  const programs: [Framework, string, string[]][] = [
    ['smtplib', 'python3', ['-']],
    ['nodemailer', process.execPath, ['--input-type=module', '-']],
    ...(withoutGo ? [] : [['go', 'sh', ['-c', goRun]] as [Framework, string, string[]]]),
  ];

  it.each(programs)(
    '%s sends an email when they are pasted into a program',
    async (name, program, args) => {
      const { address, received } = await listenForSmtp();

      await runTool(program, args, frameworkSettings(name, address), { cwd: ROOT });

      expect(received).toMatchObject([{ mailFrom: 'app@example.test', recipients: ['ada@example.test'] }]);
    },
    COMPILING_MS,
  );

  const withoutSymfony = skippedWithout('php-symfony-mailer', existsSync(SYMFONY));

  it.skipIf(withoutSymfony)(`Symfony’s mailer takes its DSN${withoutSymfony}`, async () => {
    const { address, received } = await listenForSmtp();
    const [, dsn] = /^MAILER_DSN=(.*)$/m.exec(frameworkSettings('symfony', address)) ?? [];
    const message = "(new Symfony\\Component\\Mime\\Email())->from('app@example.test')->to('ada@example.test')";
    const send = `(new Symfony\\Component\\Mailer\\Mailer($transport))->send(${message}->subject('Hello')->text('Hi'));`;

    await runTool('php', [
      '-r',
      `require '${SYMFONY}'; require '/usr/share/php/Symfony/Component/Mime/autoload.php';
      $transport = Symfony\\Component\\Mailer\\Transport::fromDsn('${dsn}'); ${send}`,
    ]);

    expect(received).toMatchObject([{ mailFrom: 'app@example.test', recipients: ['ada@example.test'] }]);
  });

  it('Nodemailer takes the address that Auth.js passes to it, with a login', async () => {
    const { address, received } = await listenForSmtp();
    const text = frameworkSettings('nextjs', { ...address, login: { user: 'ada', password: 'a/b@c' } });
    expect(text).toContain(`EMAIL_SERVER=smtp://ada:a%2Fb%40c@127.0.0.1:${address.port}?`);
    const [, server, from] = /^EMAIL_SERVER=(.*)\nEMAIL_FROM=(.*)$/m.exec(frameworkSettings('nextjs', address)) ?? [];

    await createTransport(server as string).sendMail({ from, to: 'ada@example.test', subject: 'Sign in', text: 'Hi' });

    expect(received).toMatchObject([{ mailFrom: 'app@example.test', recipients: ['ada@example.test'] }]);
  });

  it('Supabase reaches the machine from its container', () => {
    const settings = (host: string) => frameworkSettings('supabase', { host, port: 1025 });

    expect(settings('127.0.0.1')).toContain('\nhost = "host.docker.internal"\nport = 1025\n');
    expect(settings('mail.corp.test')).toContain('\nhost = "mail.corp.test"\n');
  });

  it('clients in Java and Rust get the name of this machine, which they find in its certificate', () => {
    const smtp = { host: '127.0.0.1', port: 1025, starttls: 'required' as const, caFile: '/ca.pem' };
    expect(frameworkSettings('spring', smtp)).toContain('spring.mail.host=localhost\n');
    expect(frameworkSettings('jakarta', smtp)).toContain('mail.smtp.host=localhost\n');
    expect(frameworkSettings('lettre', smtp)).toContain('starttls_relay("localhost")?\n    .port(1025)\n    .build();');
    expect(frameworkSettings('jakarta', { host: '127.0.0.1', port: 1025 })).toContain('mail.smtp.host=127.0.0.1\n');
  });

  it.each(['flask', 'fastapi', 'aiosmtplib'] as const)(
    '%s gets Python, with and without TLS and a login',
    async (name) => {
      const login = { user: 'ada', password: 'pencil' };
      for (const more of [{}, { login, starttls: 'required' as const, caFile: '/ca.pem' }]) {
        const text = frameworkSettings(name, { host: '127.0.0.1', port: 1025, ...more });
        await runTool('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], text);
        expect(text).toContain('1025');
      }
    },
  );

  describe.each([
    ['requires TLS and a login', ['--starttls=required', '--smtp-auth', 'required']],
    ['has users, and offers TLS', ['--starttls', '--smtp-auth', 'required', '--smtp-user', 'ada:pencil']],
    ['has a CA in memory', ['--starttls=required', '--in-memory']],
  ])('of a server that %s', (_, flags) => {
    const folder = temporaryDirectory();
    let server: DevServer;
    beforeAll(async () => {
      symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'));
      server = await startDev(flags, { env: { SVC_DATA_DIR: folder.path } });
    });
    afterAll(async () => {
      await server.stop();
      folder.remove();
    });
    beforeEach(() => resetServer(server.ready));

    it.each(programs)(
      'work when they are pasted into a program for %s',
      async (name, program, args) => {
        const { stdout, stderr } = await svc(['dev', 'env', '--for', name, '--data-dir', folder.path]);
        if (stderr !== '') {
          expect(stderr).toMatch(
            /^warning: The CA of the server is in memory\. Save it first: svc dev ca .* > ca\.pem\n$/,
          );
          const { stdout: certificate } = await svc(['dev', 'ca', '--data-dir', folder.path]);
          writeFileSync(join(folder.path, 'ca.pem'), certificate);
        }

        await runTool(program, args, stdout, { cwd: folder.path });

        expect(await data(server.ready, '/v1/emails')).toMatchObject({ emails: [{ subject: 'Hello' }] });
      },
      COMPILING_MS,
    );
  });

  it.skipIf(withoutRuby)(`Rails accepts its settings as Ruby${withoutRuby}`, async () => {
    const config = 'require "ostruct"; config = OpenStruct.new(action_mailer: OpenStruct.new)';
    const script = [config, frameworkSettings('rails', { host: '127.0.0.1', port: 1025 })];

    const shown = await runTool('ruby', ['-'], [...script, 'p config.action_mailer.smtp_settings[:port]'].join('\n'));

    expect(shown).toBe('1025\n');
  });
});
