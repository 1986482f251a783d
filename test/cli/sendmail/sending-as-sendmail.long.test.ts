import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import { unusedPort } from '../../support/servers/ports.js';
import { bytes, data } from '../../support/servers/server-calls.js';

/** Tests `svc sendmail` with the arguments and input of programs that call sendmail, and by some of these programs. */

const withoutPhp = skippedWithout('php');
const hasSendEmail = spawnSync('git', ['send-email', '-h']).stderr?.includes('not a git command') === false;
const withoutSendEmail = skippedWithout('git send-email', hasSendEmail);

describe('svc sendmail', () => {
  const folder = temporaryDirectory();
  const dataDir = join(folder.path, 'data');
  const env = { SVC_DATA_DIR: dataDir };
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', dataDir]);
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  const sendmail = (args: string[], input: string) => svc(['sendmail', ...args], { env, input });

  /** Returns the newest email: its raw bytes, and what the control API has about it. */
  async function newest() {
    const { emails } = await data(dev.ready, '/v1/emails?limit=1');
    const { id } = emails[0];
    const [raw, inspected] = await Promise.all([
      bytes(dev.ready, `/_svc/emails/${id}/raw`),
      data(dev.ready, `/_svc/emails/${id}`),
    ]);
    return { raw: Buffer.from(raw).toString(), inspected };
  }

  it.each([
    [
      'To: Ada, @example.test\n',
      67,
      'Invalid address "@example.test" in To: it must be one address, in the form user@host',
    ],
    ['To: a@example.test\nCc: b@c@d\n', 67, 'Invalid address "b@c@d" in Cc: it must be one address'],
    ['To: a@example.test\nFrom: @x\n', 64, 'Invalid address "@x" in From: it must be one address'],
    ['To: Ada Lovelace\n', 64, 'No recipients in To, Cc and Bcc.\nTo has no address: "Ada Lovelace". Write user@host'],
    [
      'To: undisclosed-recipients:;\n',
      64,
      'No recipients in To, Cc and Bcc.\nTo has no address: "undisclosed-recipients:;".',
    ],
    ['Subject: Hi\n', 64, 'No recipients in To, Cc and Bcc.\n'],
  ])('names the field of the header with an invalid address: %j', async (header, code, message) => {
    const refused = await sendmail(['-t'], `${header}\nHello\n`);

    expect(refused).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(`Error: ${message}`) });
  });

  it('takes recipients from the header with -t, and removes Bcc', async () => {
    const input =
      'From: Shop <shop@example.test>\nTo: Ada <ada@example.test>,\n Bob <bob@example.test>\nCc: carol@example.test\n' +
      'Bcc: hidden@example.test,\n other@example.test\nSubject: Hi\n\nHello\n';
    expect(await sendmail(['-t', '-i'], input)).toEqual({ code: 0, stdout: '', stderr: '' });

    const { raw, inspected } = await newest();
    expect(inspected.envelope).toMatchObject({
      mail_from: 'shop@example.test',
      rcpt_to: [
        'ada@example.test',
        'bob@example.test',
        'carol@example.test',
        'hidden@example.test',
        'other@example.test',
      ],
    });
    expect(raw).not.toMatch(/bcc|hidden|other/i);
    expect(raw).toMatch(
      /^From: Shop <shop@example.test>\r\nTo: Ada <ada@example.test>,\r\n Bob <bob@example.test>\r\nCc: carol@example.test\r\nSubject: Hi\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000\r\nMessage-ID: <[\w.-]+@[\w.-]+>\r\n\r\nHello\r\n$/,
    );
  });

  it('ends the message at a lone dot, unless -i or -oi is given', async () => {
    const input = 'Subject: Dots\n\nbefore\n.\nafter\n';
    await sendmail(['ada@example.test'], input);
    expect((await newest()).raw).toMatch(/\r\n\r\nbefore\r\n$/);
    for (const flags of [['-i'], ['-oi'], ['-odi', '-it', 'bob@example.test']]) {
      await sendmail([...flags, 'ada@example.test'], input);
      expect((await newest()).raw).toMatch(/\r\n\r\nbefore\r\n\.\r\nafter\r\n$/);
    }
  });

  it('completes the message of cron: local names, the sender’s name, no From', async () => {
    const run = await sendmail(['-FCronDaemon', '-oi', '-odi', '-oem', 'root'], 'To: root\nSubject: Cron\n\ndone\n');
    expect(run).toEqual({ code: 0, stdout: '', stderr: '' });

    const { raw, inspected } = await newest();
    expect(inspected.envelope.rcpt_to).toEqual(['root@localhost.localdomain']);
    expect(raw).toMatch(/^From: "CronDaemon" <[^@<>]+@localhost\.localdomain>\r$/m);
    expect(raw).toMatch(/^To: root\r$/m);
  });

  it('takes the sender of the envelope from -f or -r, attached or not, and an empty one', async () => {
    const sent = async (...args: string[]) => {
      const run = await sendmail([...args, '--', 'ada@example.test'], 'From: a@example.test\n\nx\n');
      expect(run).toMatchObject({ code: 0 });
      return (await newest()).inspected.envelope.mail_from;
    };
    expect(await sent('-fbounce@example.test')).toBe('bounce@example.test');
    expect(await sent('-f', 'bounce+2@example.test')).toBe('bounce+2@example.test');
    expect(await sent('-r', 'www-data')).toBe('www-data@localhost.localdomain');
    expect(await sent('-f', '<>')).toBe('');
    expect(await sent('-bm', '-U', '-Ac', '-N', 'success,failure', '-R', 'hdrs', '-V', 'id1')).toBe('a@example.test');
    expect(await sent('--from=msmtp@example.test')).toBe('msmtp@example.test');
  });

  it('writes a sender with other than ASCII characters in UTF-8, without adding lines to the header', async () => {
    // The low byte of Ċ is a line feed, that of č a carriage return.
    const sender = '"aĊX-Injected:yesčĊ"@example.test';
    expect(await sendmail(['-f', sender, '-F', 'ĊX: y', 'ada@example.test'], 'Subject: x\n\nx\n')).toMatchObject({
      code: 0,
    });
    const { raw, inspected } = await newest();
    expect(inspected.envelope.mail_from).toBe(sender);
    expect(raw).toContain(`<${sender}>\r\n`);
    expect(raw).not.toMatch(/^X/m);
  });

  it('ignores flags of sendmail, Postfix and msmtp, with their values', async () => {
    const flags = [
      ...['-o', 'i', '-e', 'm', '-h', '3', '-d', '-D', 'log', '-M', 'id', '-s', '-x', '-q', '-p', 'ESMTP', '-L', 'tag'],
      ...['-a', 'default', '--account=default', '--file', 'rc', '--read-envelope-from', '--read-recipients'],
    ];
    const run = await sendmail(
      [...flags, 'bob@example.test'],
      'From: a@example.test\nTo: ada@example.test\n\na\n.\nb\n',
    );
    expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
    const { raw, inspected } = await newest();
    expect(inspected.envelope.rcpt_to).toEqual(['bob@example.test', 'ada@example.test']);
    expect(raw).toMatch(/a\r\n\.\r\nb\r\n$/);
    for (const nothing of ['-q', '-q15m', '-I', '-bi']) {
      expect(await sendmail([nothing], '')).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    expect((await sendmail(['-h'], '')).stdout).toContain('USAGE');
  });

  it('treats text without a header as a body, and keeps bytes that are not UTF-8', async () => {
    await sendmail(['ada@example.test'], 'no header here\n..two dots\n');
    expect((await newest()).raw).toMatch(/\r\n\r\nno header here\r\n\.\.two dots\r\n$/);
    await runTool(
      process.execPath,
      [BINARY, 'sendmail', 'ada@example.test'],
      Buffer.from('Subject: x\n\n\xe9\n', 'latin1'),
      {
        env: { ...(process.env as Record<string, string>), ...env },
      },
    );
    const { emails } = await data(dev.ready, '/v1/emails?limit=1');
    const raw = Buffer.from(await bytes(dev.ready, `/_svc/emails/${emails[0].id}/raw`));
    expect(raw.toString('latin1')).toMatch(/\r\n\r\n\xe9\r\n$/);
  });

  it('speaks SMTP on stdin and stdout with -bs', async () => {
    const commands =
      'EHLO test\r\nMAIL FROM:<a@example.test>\r\nRCPT TO:<bs@example.test>\r\nDATA\r\nSubject: BS\r\n\r\nx\r\n.\r\nQUIT\r\n';
    const run = await sendmail(['-bs'], commands);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^220 .*^250 2\.6\.0 OK: queued as msg_\w+\r?$.*^221 /ms);
    expect((await newest()).inspected.envelope.rcpt_to).toEqual(['bs@example.test']);
  });

  it('prints the reply with -v and a JSON object with --json', async () => {
    const verbose = await sendmail(['-v', 'ada@example.test'], 'Subject: v\n\nx\n');
    expect(verbose).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^250 .*msg_\w+/) });
    const { stdout } = await sendmail(['--json', 'ada@example.test'], 'From: a@example.test\n\nx\n');
    expect(JSON.parse(stdout)).toEqual({
      mail_from: 'a@example.test',
      rcpt_to: ['ada@example.test'],
      reply: expect.stringMatching(/^250 /),
    });
  });

  it('exits with the codes of sysexits', async () => {
    const code = async (args: string[], input = 'Subject: x\n\nx\n') => {
      const run = await sendmail(args, input);
      expect(run.stderr).toMatch(/^Error: /);
      return run.code;
    };
    expect(await code([])).toBe(64);
    expect(await code(['-t'])).toBe(64);
    expect(await code(['-bd'])).toBe(64);
    expect(await code(['-z', 'ada@example.test'])).toBe(64);
    expect(await code(['-f'])).toBe(64);
    expect(await code(['ada@-example.test'])).toBe(67);
    expect(await code(['-f', 'ada@-example.test', 'ada@example.test'])).toBe(64);
    const port = await unusedPort();
    const down = await svc(['sendmail', 'ada@example.test'], { env: { SVC_SMTP_PORT: String(port) }, input: 'x\n' });
    expect(down).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(/Cannot send over 127\.0\.0\.1:\d+: .*\n.*svc dev/),
    });
    const none = await svc(['sendmail', '-bs'], { env: { SVC_DATA_DIR: join(folder.path, 'none') }, input: '' });
    expect(none).toMatchObject({ code: 75, stderr: expect.stringContaining('svc dev') });
  });

  it('reports a refusal by a strict server with 69, and the login of a key that does not exist with 77', async () => {
    const strict = await startDev(['--in-memory', '--strict', '--domain', 'verified.test']);
    const { host, port } = strict.ready.smtp;
    const server = { SVC_SMTP_HOST: host, SVC_SMTP_PORT: String(port) };
    const refused = await svc(['sendmail', 'a@example.test'], { env: server, input: 'From: b@unverified.test\n\nx\n' });
    expect(refused).toMatchObject({ code: 69, stderr: expect.stringMatching(/refused the message: 550 /) });
    const short = await svc(['sendmail', 'a@nodot'], { env: server, input: 'From: b@verified.test\n\nx\n' });
    expect(short).toMatchObject({ code: 67, stderr: expect.stringMatching(/refused the message: 553 5\.1\.3 /) });
    const key = await svc(['sendmail', 'a@example.test'], {
      env: { ...server, SVC_API_KEY: 'svc_test_unknown' },
      input: 'x\n',
    });
    expect(key).toMatchObject({ code: 77, stderr: expect.stringMatching(/refused the login: 535 .*\n.*SVC_API_KEY/) });
    await strict.stop();
  });

  it('logs in to another machine only over TLS with a certificate that it trusts', async () => {
    const config = ['--host', '0.0.0.0', '--allow-host', hostname(), '--data-dir'];
    const server = ({ ready }: DevServer) => ({
      ...{ SVC_SMTP_HOST: hostname(), SVC_SMTP_PORT: String(ready.smtp.port), SVC_API_KEY: 'svc_test_unknown' },
    });
    const send = (env: Record<string, string>) => svc(['sendmail', 'a@example.test'], { env, input: 'x\n' });

    const plain = await startDev([...config, join(folder.path, 'plain')]);
    expect(await send(server(plain))).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^warning: Sent without a login/),
    });
    await plain.stop();

    const secure = await startDev([...config, join(folder.path, 'secure'), '--starttls']);
    const untrusted = await send(server(secure));
    expect(untrusted).toMatchObject({ code: 75, stderr: expect.stringMatching(/certificate.*\n.*SVC_CA_FILE/s) });
    const trusted = await send({ ...server(secure), SVC_CA_FILE: join(folder.path, 'secure/ca.pem') });
    expect(trusted).toMatchObject({ code: 77, stderr: expect.stringContaining('535') });
    const missing = await send({ ...server(secure), SVC_CA_FILE: join(folder.path, 'none.pem') });
    expect(missing).toMatchObject({ code: 78, stderr: expect.stringContaining('no such file') });
    await secure.stop();
  });

  it.skipIf(withoutPhp)(`is PHP’s sendmail_path${withoutPhp}`, async () => {
    const path = `${process.execPath} ${BINARY} sendmail -t -i --data-dir ${dataDir}`;
    const script = `var_dump(mail("php@example.test", "Grüße", "line\\n.\\nend", ["From" => "app@example.test", "Bcc" => "bcc@example.test"], "-fbounce@example.test"));`;
    expect(await runTool('php', ['-d', `sendmail_path=${path}`, '-r', script])).toContain('bool(true)');
    const { raw, inspected } = await newest();
    expect(inspected).toMatchObject({
      subject: 'Grüße',
      envelope: { mail_from: 'bounce@example.test', rcpt_to: ['php@example.test', 'bcc@example.test'] },
    });
    expect(raw).toMatch(/line\r\n\.\r\nend/);
  });

  it('is the program that Python’s subprocess calls', async () => {
    const script =
      'import subprocess, sys\nfrom email.message import EmailMessage\nm = EmailMessage()\nm["From"] = "py@example.test"\n' +
      'm["To"] = "Zoë <python@example.test>"\nm["Subject"] = "Über"\nm.set_content("Grüße")\n' +
      'subprocess.run(sys.argv[1:] + ["sendmail", "-t", "-oi"], input=m.as_bytes(), check=True)\n';
    const all = { ...(process.env as Record<string, string>), ...env };
    await runTool('python3', ['-c', script, process.execPath, BINARY], '', { env: all });
    expect((await newest()).inspected).toMatchObject({
      subject: 'Über',
      envelope: { rcpt_to: ['python@example.test'] },
    });
  });

  it.skipIf(withoutSendEmail)(`sends patches of git send-email${withoutSendEmail}`, async () => {
    const wrapper = join(folder.path, 'sendmail');
    writeFileSync(wrapper, `#!/bin/sh\nexec ${process.execPath} ${BINARY} sendmail --data-dir ${dataDir} "$@"\n`);
    chmodSync(wrapper, 0o755);
    const patch = join(folder.path, '0001.patch');
    writeFileSync(
      patch,
      'From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\nFrom: Dev <dev@example.test>\n' +
        'Date: Mon, 2 Nov 2026 10:00:00 +0000\nSubject: [PATCH] Fix it\n\nBody\n---\n',
    );
    await runTool('git', [
      ...['-c', 'user.name=Dev', '-c', 'user.email=dev@example.test', 'send-email', `--sendmail-cmd=${wrapper}`],
      ...['--from=dev@example.test', '--to=list@example.test', '--cc=cc@example.test', '--confirm=never', patch],
    ]);
    const { inspected } = await newest();
    expect(inspected.subject).toBe('[PATCH] Fix it');
    expect(inspected.envelope.rcpt_to).toEqual(expect.arrayContaining(['list@example.test', 'cc@example.test']));
  });
});
