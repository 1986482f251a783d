import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, type Ready, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';
import { data, newestParsed } from '../support/servers/server-calls.js';

/** Tests TLS and log-ins with programs of other projects, with the settings that docs/smtp.md names. */

const hasPerlTls = spawnSync('perl', ['-MNet::SSLeay', '-e', '1']).status === 0;
const withoutSwaks = skippedWithout('swaks') || skippedWithout('libnet-ssleay-perl', hasPerlTls);
const withoutCurl = skippedWithout('curl');
const withoutMsmtp = skippedWithout('msmtp');
const withoutGo = skippedWithout('go');
/** Go compiles its standard library at the first run, which takes minutes on a busy machine. */
const GO_MS = 300_000;
const withoutPhp = skippedWithout('php');

interface ReadyWithTls extends Ready {
  tls: { smtps: { host: string; port: number }; ca_file: string };
}

describe('a server that requires TLS and a log-in', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;
  let ready: ReadyWithTls;
  let ca: string;

  beforeAll(async () => {
    const users = join(folder.path, 'users');
    writeFileSync(users, '# users of the tests\nada:pencil\n\n');
    const tls = ['--starttls=required', '--smtp-tls-port', '0'];
    const login = ['--smtp-auth', 'required', '--smtp-users-file', users];
    dev = await startDev(['--data-dir', join(folder.path, 'data'), ...tls, ...login]);
    ready = dev.ready as ReadyWithTls;
    ca = ready.tls.ca_file;
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  const mailFile = (subject: string) => {
    const file = join(folder.path, 'mail.eml');
    writeFileSync(file, `From: app@example.test\r\nTo: ada@example.test\r\nSubject: ${subject}\r\n\r\nHello\r\n`);
    return file;
  };
  const newestSubject = async () => {
    await newestParsed(ready);
    return (await data(ready, '/v1/emails?limit=1')).emails[0].subject;
  };

  it.skipIf(withoutCurl).each(['smtp', 'smtps'])(`curl sends with %s${withoutCurl}`, async (scheme) => {
    const { host, port } = scheme === 'smtps' ? ready.tls.smtps : ready.smtp;
    const subject = `curl ${scheme}`;
    const envelope = ['--mail-from', 'app@example.test', '--mail-rcpt', 'ada@example.test', '-T', mailFile(subject)];
    const send = (...trust: string[]) =>
      runTool('curl', [
        '-sS',
        '--ssl-reqd',
        ...trust,
        '--user',
        'ada:pencil',
        `${scheme}://${host}:${port}`,
        ...envelope,
      ]);

    await send('--cacert', ca);

    expect(await newestSubject()).toBe(subject);
    await expect(send()).rejects.toThrow(/certificate/);
  });

  it.skipIf(withoutSwaks).each(['PLAIN', 'LOGIN', 'CRAM-MD5'])(
    `swaks sends with STARTTLS and %s${withoutSwaks}`,
    async (method) => {
      const { port } = ready.smtp;
      const subject = `swaks ${method}`;
      const tls = ['--tls', '--tls-verify', '--tls-ca-path', ca];
      const auth = ['--auth', method, '--auth-user', 'ada', '--auth-password', 'pencil'];
      const mail = ['--from', 'app@example.test', '--to', 'ada@example.test', '--h-Subject', subject];

      await runTool('swaks', ['--server', 'localhost', '--port', String(port), ...tls, ...auth, ...mail]);

      expect(await newestSubject()).toBe(subject);
    },
  );

  it.skipIf(withoutSwaks)(`swaks sends with TLS on connect, and shows a refused log-in${withoutSwaks}`, async () => {
    const server = ['--server', '127.0.0.1', '--port', String(ready.tls.smtps.port), '--tls-on-connect'];
    const mail = ['--from', 'app@example.test', '--to', 'ada@example.test', '--h-Subject', 'swaks tls'];
    const login = (password: string) => ['--auth', 'PLAIN', '--auth-user', 'ada', '--auth-password', password];

    await runTool('swaks', [...server, ...mail, ...login('pencil')]);

    expect(await newestSubject()).toBe('swaks tls');
    await expect(runTool('swaks', [...server, ...mail, ...login('wrong')])).rejects.toThrow('No authentication type');
  });

  it.skipIf(withoutMsmtp)(`msmtp sends with STARTTLS and with TLS${withoutMsmtp}`, async () => {
    for (const [starttls, { port }] of [
      ['on', ready.smtp],
      ['off', ready.tls.smtps],
    ] as const) {
      const config = join(folder.path, 'msmtprc');
      const account = `account default\nhost localhost\nport ${port}\nfrom app@example.test\n`;
      const tls = `tls on\ntls_starttls ${starttls}\ntls_trust_file ${ca}\n`;
      writeFileSync(config, `${account}${tls}auth on\nuser ada\npassword pencil\n`, { mode: 0o600 });
      const mail = `From: app@example.test\nTo: ada@example.test\nSubject: msmtp ${starttls}\n\nHello\n`;

      await runTool('msmtp', ['-C', config, '-t'], mail);

      expect(await newestSubject()).toBe(`msmtp ${starttls}`);
    }
  });

  it.skipIf(withoutGo)(
    `Go's net/smtp sends with STARTTLS, with SSL_CERT_FILE${withoutGo}`,
    async () => {
      const module = join(folder.path, 'go');
      mkdirSync(module);
      writeFileSync(join(module, 'main.go'), GO);
      const env = { ...process.env, SSL_CERT_FILE: ca, GO111MODULE: 'off' } as Record<string, string>;

      await runTool('go', ['run', 'main.go', `localhost:${ready.smtp.port}`], '', { cwd: module, env });

      expect(await newestSubject()).toBe('Go');
    },
    GO_MS,
  );

  it.skipIf(withoutPhp)(`PHP connects with TLS, with openssl.cafile${withoutPhp}`, async () => {
    const { port } = ready.tls.smtps;
    const script = `$s = stream_socket_client('tls://localhost:${port}'); echo fgets($s);`;

    expect(await runTool('php', ['-d', `openssl.cafile=${ca}`, '-r', script])).toMatch(/^220 /);
  });
});

const GO = `package main

import (
	"net/smtp"
	"os"
)

func main() {
	auth := smtp.PlainAuth("", "ada", "pencil", "localhost")
	message := []byte("From: app@example.test\\r\\nTo: ada@example.test\\r\\nSubject: Go\\r\\n\\r\\nHello\\r\\n")
	if err := smtp.SendMail(os.Args[1], auth, "app@example.test", []string{"ada@example.test"}, message); err != nil {
		panic(err)
	}
}
`;
