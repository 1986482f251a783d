import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SmtpSession } from '../../src/contract/control/logs.js';
import { type DevServer, type Ready, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import { python } from '../support/mail/delivered.js';
import { openSmtp } from '../support/mail/smtp-session.js';
import { data } from '../support/servers/server-calls.js';

/** Tests TLS with openssl, Node.js, nodemailer and smtplib, which check the certificate in their own ways. */

interface ReadyWithTls extends Ready {
  tls: { starttls: string | null; smtps: { host: string; port: number } | null; ca_file: string | null; ca: string };
}

const MAIL = { from: 'app@example.test', to: 'ada@example.test', subject: 'Hi', text: 'Hello' };
const withoutOpenssl = skippedWithout('openssl');
const folder = temporaryDirectory();
afterAll(() => folder.remove());

describe('a server with STARTTLS and a port with TLS', () => {
  const dataDir = join(folder.path, 'data');
  const file = (name: string) => join(dataDir, name);
  let dev: DevServer;
  let ready: ReadyWithTls;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', dataDir, '--starttls', '--smtp-tls-port', '0']);
    ready = dev.ready as ReadyWithTls;
  });

  afterAll(async () => {
    // A client that never finishes its handshake, and one that is idle.
    const silent = await openSmtp(ready.smtp);
    await silent.reply();
    await silent.say('EHLO client.example.test');
    await silent.say('STARTTLS');
    const idle = connectTls({ ...address(), ca: ready.tls.ca });
    idle.on('error', () => {});
    await once(idle, 'data');

    expect(await dev.stop()).toBe(0);
    const log = await dev.stderr;
    expect(log).toContain('refused the TLS certificate (unknown ca). "svc dev ca --instructions"');
    expect(log).toContain('SMTP: a client at 127.0.0.1 spoke without TLS on the port of --smtp-tls-port.');
    expect(log).toContain('SMTP: a client at 127.0.0.1 began TLS without STARTTLS.');
  });

  const address = () => ready.tls.smtps as { host: string; port: number };
  // Other commands than s_client do not read what they get, and may end before it is written.
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { encoding: 'utf8', ...(args[0] === 's_client' && { input: 'QUIT\r\n' }) });

  it.skipIf(withoutOpenssl)(
    `has a certificate of its CA for this machine, in files of mode 0600${withoutOpenssl}`,
    () => {
      expect(ready.tls).toMatchObject({ starttls: 'offered', ca_file: file('ca.pem') });
      for (const name of ['ca.pem', 'ca-key.pem', 'smtp-cert.pem', 'smtp-key.pem']) {
        expect({ name, mode: statSync(file(name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
      }
      for (const host of [
        ['-verify_hostname', 'localhost'],
        ['-verify_ip', '127.0.0.1'],
        ['-verify_ip', '::1'],
      ]) {
        const args = [
          '-x509_strict',
          '-purpose',
          'sslserver',
          ...host,
          '-CAfile',
          file('ca.pem'),
          file('smtp-cert.pem'),
        ];
        expect(openssl('verify', ...args)).toContain(': OK');
      }
      expect(() =>
        openssl('verify', '-verify_hostname', 'example.com', '-CAfile', file('ca.pem'), file('smtp-cert.pem')),
      ).toThrow('ostname mismatch');
      expect(openssl('x509', '-in', file('ca.pem'), '-noout', '-text')).toMatch(
        /CA:TRUE, pathlen:0[\s\S]*Certificate Sign/,
      );
    },
  );

  it.skipIf(withoutOpenssl).each(['-starttls', 'implicit'])(
    `openssl verifies the connection: %s${withoutOpenssl}`,
    (how) => {
      const { host, port } = how === 'implicit' ? address() : ready.smtp;
      const starttls = how === 'implicit' ? [] : ['-starttls', 'smtp'];
      const check = ['-verify_return_error', '-verify_ip', '127.0.0.1', '-CAfile', file('ca.pem'), '-crlf'];

      const said = openssl('s_client', '-connect', `${host}:${port}`, ...starttls, ...check);

      expect(said).toContain('Verify return code: 0 (ok)');
      expect(said).toMatch(/New, TLSv1\.3/);
    },
  );

  it('is used by nodemailer with requireTLS and with secure', async () => {
    for (const options of [
      { ...ready.smtp, requireTLS: true },
      { ...address(), secure: true },
    ]) {
      const sent = await createTransport({ ...options, tls: { ca: ready.tls.ca } }).sendMail(MAIL);
      expect(sent.response).toMatch(/^250 /);
      await expect(createTransport(options).sendMail(MAIL)).rejects.toThrow(/self.signed certificate/);
    }
  });

  it.each(['starttls', 'tls'])('is used by smtplib: %s', async (how) => {
    const { host, port } = how === 'tls' ? address() : ready.smtp;

    const send = (ca: string) => python('smtp_secure_send.py', '', [how, host, String(port), ca]);

    expect(await send(file('ca.pem'))).toEqual({ cipher: 'TLSv1.3', sent: true });
    expect(await send('-')).toEqual({ error: expect.stringContaining('CERTIFICATE_VERIFY_FAILED') });
    const { emails } = await data(ready, '/v1/emails?limit=1');
    expect(emails[0].subject).toBe(`smtplib ${how}`);
  });

  it('ends the record of a session whose client does not trust the CA, and keeps no connection', async () => {
    const sessions = async () => (await data(ready, '/_svc/smtp-sessions')).sessions as SmtpSession[];
    const isOpen = ({ ending }: SmtpSession) => ending === null;
    await expect.poll(async () => (await sessions()).filter(isOpen)).toEqual([]);
    const before = { descriptors: openSockets(), failed: (await sessions()).filter(isFailedHandshake).length };
    const { host, port } = ready.smtp;

    for (let count = 0; count < 5; count += 1) {
      expect(await python('smtp_secure_send.py', '', ['starttls', host, String(port), '-'])).toHaveProperty('error');
    }

    const failed = async () => (await sessions()).filter(isFailedHandshake);
    await expect.poll(async () => (await failed()).length).toBe(before.failed + 5);
    expect((await failed())[0]).toMatchObject({
      ending: 'client_closed',
      tls: null,
      failed: true,
      error: 'the TLS handshake failed: the client sent the alert unknown ca',
      transactions: [],
    });
    expect((await sessions()).filter(isOpen)).toEqual([]);
    // One more for a connection of the requests.
    await expect.poll(openSockets).toBeLessThanOrEqual(before.descriptors + 1);
  });

  it('records clients with the wrong kind of TLS for a port', async () => {
    const errors = async () => {
      const { sessions } = await data(ready, '/_svc/smtp-sessions');
      return (sessions as SmtpSession[]).map(({ error, ending }) => `${ending}: ${error}`);
    };
    const plain = connect(address());
    plain.on('error', () => {});
    plain.write('EHLO client.example.test\r\n');
    await once(plain, 'close');
    const silent = connect(address());
    await once(silent, 'connect');
    silent.end();
    const secure = connectTls({ ...ready.smtp, rejectUnauthorized: false });
    await once(secure, 'error');

    await expect
      .poll(errors)
      .toEqual(
        expect.arrayContaining([
          'refused: the client spoke without TLS; this port begins with TLS',
          'client_closed: the client closed the connection before a TLS handshake; this port begins with TLS',
          'refused: the client began TLS without STARTTLS; use --smtp-tls-port',
        ]),
      );
  });

  const isFailedHandshake = ({ error }: SmtpSession) => error?.startsWith('the TLS handshake failed') ?? false;

  /** Returns the number of the server's sockets. */
  const openSockets = () => {
    const folder = `/proc/${ready.pid}/fd`;
    const targets = readdirSync(folder).flatMap((name) => {
      try {
        return [readlinkSync(join(folder, name))];
      } catch {
        // It was closed meanwhile.
        return [];
      }
    });
    return targets.filter((target) => target.startsWith('socket:')).length;
  };

  it('still accepts mail without TLS', async () => {
    await createTransport({ ...ready.smtp, ignoreTLS: true }).sendMail(MAIL);
  });

  it('forgets what a client said before TLS, and ignores commands that arrived with STARTTLS', async () => {
    const socket = connect(ready.smtp);
    await received(socket, /^220 /);
    socket.write('EHLO client.example.test\r\n');
    await received(socket, /STARTTLS/);
    socket.write('MAIL FROM:<injected@example.test>\r\nSTARTTLS\r\nRCPT TO:<ada@example.test>\r\n');
    await received(socket, /220 .*start TLS/);

    const secure = connectTls({ socket, ca: ready.tls.ca, host: 'localhost' });
    await once(secure, 'secureConnect');
    secure.write('MAIL FROM:<app@example.test>\r\n');
    expect(await received(secure, /\r\n/)).toMatch(/^503 .*HELO\/EHLO first/);
    secure.write('EHLO client.example.test\r\n');
    expect(await received(secure, /250 SIZE/)).not.toContain('STARTTLS');
    secure.write('STARTTLS\r\n');
    expect(await received(secure, /\r\n/)).toMatch(/^503 /);
    secure.write('MAIL FROM:<app@example.test>\r\nRCPT TO:<ada@example.test>\r\nQUIT\r\n');
    expect(await received(secure, /221 /)).toMatch(/^250 .*\r\n250 /);
  });

  it.skipIf(withoutOpenssl)(`prints its CA, how to trust it, and its addresses${withoutOpenssl}`, async () => {
    const at = ['--data-dir', dataDir];
    const pem = readFileSync(file('ca.pem'), 'utf8');
    const fingerprint = openssl('x509', '-in', file('ca.pem'), '-noout', '-fingerprint', '-sha256')
      .split('=')[1]
      ?.trim();

    expect(await svc(['dev', 'ca', ...at])).toEqual({ code: 0, stdout: pem, stderr: '' });
    const facts = JSON.parse((await svc(['dev', 'ca', '--json', ...at])).stdout);
    expect(facts).toMatchObject({ pem, file: file('ca.pem'), sha256: fingerprint });
    const { stdout } = await svc(['dev', 'ca', '--instructions', ...at]);
    expect(stdout).toContain(`NODE_EXTRA_CA_CERTS=${file('ca.pem')}`);
    const variables = JSON.parse((await svc(['dev', 'env', '--json', ...at])).stdout);
    expect(variables).toMatchObject({ SVC_SMTP_TLS_PORT: String(address().port), SVC_CA_FILE: file('ca.pem') });
    expect(JSON.parse((await svc(['dev', 'status', '--json', ...at])).stdout).tls).toMatchObject({
      starttls: 'offered',
    });
  });
});

describe('a server without TLS', () => {
  it('refuses STARTTLS with the name of the flag, in the reply and in its log, and creates no files', async () => {
    const dataDir = join(folder.path, 'plain');
    const dev = await startDev(['--data-dir', dataDir]);
    const session = await openSmtp(dev.ready.smtp);
    await session.reply();

    expect(await session.say('EHLO client.example.test')).not.toContain('STARTTLS');
    expect(await session.say('STARTTLS')).toBe('502 5.5.1 STARTTLS is not offered; start the server with --starttls');
    await expect(createTransport({ ...dev.ready.smtp, requireTLS: true }).sendMail(MAIL)).rejects.toThrow('--starttls');

    session.socket.end();
    expect(await dev.stop()).toBe(0);
    expect(await dev.stderr).toMatch(/^SMTP: a client at 127\.0\.0\.1 asked for STARTTLS.*--starttls/);
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.pem'))).toEqual([]);
    expect(dev.ready).not.toHaveProperty('tls');
    const { code, stderr } = await svc(['dev', 'ca', '--data-dir', dataDir]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('No local CA found.') });
  });
});

describe('a server that requires STARTTLS', () => {
  it('refuses mail and log-ins without it, and accepts both with it', async () => {
    const dev = await startDev([
      '--in-memory',
      '--starttls=required',
      '--smtp-auth=required',
      '--smtp-user',
      'ada:pencil',
    ]);
    const ready = dev.ready as ReadyWithTls;
    const session = await openSmtp(ready.smtp);
    await session.reply();
    // Nothing invites the client to send its password in clear text.
    expect(await session.say('EHLO client.example.test')).not.toContain('AUTH');

    expect(await session.say('MAIL FROM:<app@example.test>')).toMatch(/^530 5\.7\.0 .*STARTTLS/);
    expect(await session.say(`AUTH PLAIN ${Buffer.from('\0ada\0pencil').toString('base64')}`)).toMatch(
      /^530 5\.7\.0 use STARTTLS/,
    );
    const auth = { user: 'ada', pass: 'pencil' };
    const sent = await createTransport({ ...ready.smtp, tls: { ca: ready.tls.ca }, auth }).sendMail(MAIL);
    expect(sent.response).toMatch(/^250 /);

    session.socket.end();
    expect(await dev.stop()).toBe(0);
    expect(ready.tls).toMatchObject({ starttls: 'required', smtps: null, ca_file: null });
  });

  it('in memory, prints how to save the certificate, without a file or variable', async () => {
    const dataDir = join(folder.path, 'memory');
    const env = { SVC_DATA_DIR: dataDir };
    const dev = await startDev(['--in-memory', '--starttls'], { env });

    const { stdout } = await svc(['dev', 'ca', '--instructions'], { env });
    const shown = await svc(['dev', 'ca', '--json'], { env });
    const elsewhere = await svc(['dev', 'ca', '--instructions', '--data-dir', dataDir]);

    expect(await dev.stop()).toBe(0);
    expect(stdout).toMatch(/^The certificate of the local CA is in memory\. Save it first: svc dev ca > ca\.pem\n/);
    expect(stdout).not.toMatch(/SVC_CA_FILE|SVC_DATA_DIR/);
    expect(JSON.parse(shown.stdout)).toMatchObject({ pem: (dev.ready as ReadyWithTls).tls.ca, file: null });
    expect(elsewhere.stdout).toContain(`Save it first: svc dev ca --data-dir ${dataDir} > ca.pem`);
  });
});

describe('svc dev exec with TLS', () => {
  it('gives a command the port and the file of the CA, which a client can use', async () => {
    const script = `
      import smtplib, ssl, os
      context = ssl.create_default_context(cafile=os.environ['SVC_CA_FILE'])
      with smtplib.SMTP_SSL(os.environ['SVC_SMTP_HOST'], int(os.environ['SVC_SMTP_TLS_PORT']), context=context) as smtp:
          smtp.sendmail('app@example.test', 'ada@example.test', 'Subject: Hi\\n\\nHello')
      print('sent')`.replace(/\n {6}/g, '\n');

    const { code, stdout, stderr } = await svc([
      ...['dev', 'exec', '--fresh', '--smtp-tls-port', '0', '--', 'python3', '-c', script],
    ]);

    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: 'sent\n' });
  });
});

describe('a certificate of the user', () => {
  it.skipIf(withoutOpenssl)(`is presented instead of one of a local CA${withoutOpenssl}`, async () => {
    const [cert, key] = [join(folder.path, 'own.pem'), join(folder.path, 'own-key.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=own', '-days', '2'];
    spawnSync('openssl', [...request, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert]);
    const dataDir = join(folder.path, 'own');
    const dev = await startDev(['--data-dir', dataDir, '--starttls', '--tls-cert', cert, '--tls-key', key]);

    const ca = readFileSync(cert, 'utf8');
    const sent = await createTransport({ ...dev.ready.smtp, requireTLS: true, tls: { ca } }).sendMail(MAIL);

    expect(sent.response).toMatch(/^250 /);
    // An earlier start may have left a CA, which this server does not use.
    writeFileSync(join(dataDir, 'ca.pem'), ca);
    const { code, stderr } = await svc(['dev', 'ca', '--data-dir', dataDir]);
    rmSync(join(dataDir, 'ca.pem'));
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('the certificate of --tls-cert.') });
    expect(await dev.stop()).toBe(0);
    expect(existsSync(join(dataDir, 'ca.pem'))).toBe(false);
    const pair = ['--tls-cert', cert, '--tls-key', cert];
    for (const [args, message] of [
      [['--starttls', ...pair], 'own.pem does not contain a private key in PEM format.'],
      [pair, '--tls-cert has no effect without TLS.'],
      [['--smtp-auth', 'off', '--smtp-user', 'a:b'], '--smtp-auth off cannot be combined with SMTP users.'],
      [['--smtp-user', 'ada'], '--smtp-user must be NAME:PASSWORD.'],
    ] as const) {
      const { code, stderr } = await svc(['dev', '--in-memory', ...args]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    }
  });
});

/** Resolves with the text that a socket receives, once it matches. */
async function received(socket: Socket, pattern: RegExp): Promise<string> {
  let text = '';
  while (!pattern.test(text)) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
  }
  return text;
}
