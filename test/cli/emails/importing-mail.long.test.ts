import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readStream } from '../../../src/cli/emails/import/source.js';
import { type DevServer, start, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { runTool } from '../../support/cli/tools.js';
import { bytes, data, resetServer } from '../../support/servers/server-calls.js';

/** Tests `svc emails import` with files, mailboxes and Maildir directories. */

/** Returns the target of a link; undefined if it has just been removed. */
function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

const envOf = ({ ready }: DevServer) => ({ SVC_DATA_DIR: ready.data_dir ?? '' });

describe('svc emails import', () => {
  let folder: ReturnType<typeof temporaryDirectory>;
  let dev: DevServer;

  beforeAll(async () => {
    folder = temporaryDirectory();
    dev = await startDev(['--data-dir', join(folder.path, 'server')]);
  });
  beforeEach(() => resetServer(dev.ready));
  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  const run = (args: string[], input = '') =>
    svc(['emails', 'import', ...args], {
      env: envOf(dev),
      cwd: folder.path,
      input,
    });

  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder.path, name), content);
  const message = (subject: string, body = 'Hello') =>
    `From: shop@example.test\nTo: ada@example.test\nSubject: ${subject}\nDate: Mon, 2 Mar 2020 10:00:00 +0000\n\n${body}\n`;
  const separator = 'From shop@example.test Mon Mar  2 10:00:00 2020\n';

  const settle = () =>
    data(dev.ready, '/_svc/settle', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });

  /** Returns the raw messages by subject. */
  async function stored(): Promise<Map<string, string>> {
    await settle();
    const { emails } = await data(dev.ready, '/v1/emails?limit=100');
    const raw = emails.map(async ({ id, subject }: { id: string; subject: string }) => [
      subject,
      (await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toString('latin1'),
    ]);
    return new Map((await Promise.all(raw)) as [string, string][]);
  }
  const counts = (stdout: string) => {
    const { imported, skipped, failed } = JSON.parse(stdout);
    return { imported, skipped, failed };
  };

  it('imports files byte for byte, with the date in the header only', async () => {
    write('a.eml', message('A'));
    write('b.eml', message('B').replace(/\n/g, '\r\n'));

    const result = await run(['a.eml', 'b.eml']);

    expect(result).toEqual({ code: 0, stdout: '', stderr: '2 emails imported.\n' });
    const all = await stored();
    expect(all.get('A')).toBe(message('A'));
    expect(all.get('B')).toBe(message('B').replace(/\n/g, '\r\n'));
    const { emails } = await data(dev.ready, '/v1/emails');
    expect(emails[0].created_at).not.toMatch(/^2020/);
  });

  it('imports a mailbox: separators, quoted and unquoted From lines, CRLF', async () => {
    const body = 'first\n\nFrom here on, this is text\n>From quoted\n>>From twice\n> From a reply\n\nlast';
    write(
      'mail.mbox',
      `${separator}${message('One', body)}\n${separator}${message('Two')}\n${separator.replace('\n', '\r\n')}${message('Three').replace(/\n/g, '\r\n')}`,
    );

    expect(await run(['mail.mbox'])).toMatchObject({ code: 0, stderr: '3 emails imported.\n' });

    const all = await stored();
    expect(all.get('One')).toBe(
      message('One', body.replace('>From quoted', 'From quoted').replace('>>From', '>From')).replace(/\n/g, '\r\n'),
    );
    expect(all.get('Two')).toBe(message('Two').replace(/\n/g, '\r\n'));
    expect(all.get('Three')).toBe(message('Three').replace(/\n/g, '\r\n'));
  });

  it('reads the mailbox that Python writes', async () => {
    const script = [
      'import mailbox, sys',
      'box = mailbox.mbox(sys.argv[1])',
      'for n in range(50):',
      '    m = mailbox.mboxMessage(f"From: a@example.test\\nTo: b@example.test\\nSubject: {n}\\n\\nFrom the start\\n\\nFrom {n}\\n")',
      '    m.set_from("a@example.test", True)',
      '    box.add(m)',
      'box.close()',
    ].join('\n');
    await runTool('python3', ['-c', script, join(folder.path, 'python.mbox')]);

    expect(counts((await run(['python.mbox', '--json'])).stdout)).toEqual({ imported: 50, skipped: 0, failed: 0 });
    expect((await stored()).get('17')).toMatch(/\r\n\r\nFrom the start\r\n\r\nFrom 17\r\n$/);
  });

  it('imports a Maildir and stdin', async () => {
    for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(folder.path, 'Maildir', part), { recursive: true });
    write('Maildir/cur/1583143200.M1.host:2,S', message('Seen'));
    write('Maildir/new/1583143201.M2.host', message('New'));
    write('Maildir/tmp/1583143202.M3.host', message('Unfinished'));

    expect(await run(['Maildir'])).toMatchObject({ code: 0, stderr: '2 emails imported.\n' });
    expect(await run(['-'], message('Piped'))).toMatchObject({ code: 0, stderr: '1 email imported.\n' });
    expect(await run(['-'], `${separator}${message('In a piped mailbox')}`)).toMatchObject({ code: 0 });

    expect([...(await stored()).keys()].sort()).toEqual(['In a piped mailbox', 'New', 'Piped', 'Seen']);
  });

  it('ends at once at a signal while it waits for more of stdin', async () => {
    const child = start(['emails', 'import', '-', '--json'], { env: envOf(dev), cwd: folder.path });
    const ended = once(child, 'exit');
    const output = text(child.stdout as Readable);
    child.stdin?.write(`${separator}${message('First')}\n${separator}${message('Unfinished')}`);
    while ((await stored()).size === 0);
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(143);
    expect(counts(await output)).toEqual({ imported: 1, skipped: 0, failed: 0 });
    expect([...(await stored()).keys()]).toEqual(['First']);
  });

  it.skipIf(process.platform === 'win32')(
    'imports the files of a Maildir next to a pipe and broken links',
    async () => {
      for (const part of ['cur', 'new']) mkdirSync(join(folder.path, 'Planted', part), { recursive: true });
      write('Planted/cur/1', message('Regular'));
      execFileSync('mkfifo', [join(folder.path, 'Planted/cur/2.pipe')]);
      symlinkSync('1', join(folder.path, 'Planted/cur/3.link'));
      symlinkSync('4.loop', join(folder.path, 'Planted/new/4.loop'));
      mkdirSync(join(folder.path, 'Planted/new/5.directory'));

      const { code, stderr } = await run(['Planted']);

      expect(code).toBe(1);
      expect(stderr.split('\n').slice(0, -1)).toEqual([
        'Planted/cur/2.pipe: it is not a regular file',
        expect.stringMatching(/^Planted\/new\/4\.loop: it cannot be read: /),
        'Planted/new/5.directory: it is not a regular file',
        '2 emails imported, 3 failed.',
      ]);
    },
  );

  it.skipIf(process.platform !== 'linux')('waits for a writer of a named pipe, and ends at a signal', async () => {
    const pipe = join(folder.path, 'pipe.eml');
    execFileSync('mkfifo', [pipe]);
    const child = start(['emails', 'import', pipe], { env: envOf(dev) });
    const ended = once(child, 'exit');
    const files = () => readdirSync(`/proc/${child.pid}/fd`).map((name) => linkOf(`/proc/${child.pid}/fd/${name}`));
    // A process that is still opening the pipe could not end.
    await expect.poll(files).toContain(pipe);
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(143);

    const imported = run([pipe]);
    await writeFile(pipe, message('Piped by name'));
    expect(await imported).toMatchObject({ code: 0, stderr: '1 email imported.\n' });
  });

  it('adds nothing again, whatever the file, except equal messages of one import, deleted ones and with --again', async () => {
    const mailbox = `${separator}${message('Same')}\n${separator}${message('Same')}\n`;
    write('same.mbox', mailbox);
    expect(counts((await run(['same.mbox', '--json'])).stdout)).toEqual({ imported: 2, skipped: 0, failed: 0 });
    write('longer.mbox', `${mailbox}${separator}${message('Same')}\n${separator}${message('Other')}`);
    expect(await run(['longer.mbox'])).toMatchObject({ code: 0, stderr: '2 emails imported, 2 already imported.\n' });
    expect(counts((await run(['longer.mbox', '--again', '--json'])).stdout)).toMatchObject({ imported: 4 });

    const [{ id }] = (await data(dev.ready, '/_svc/emails?search=subject:Other')).emails;
    await data(dev.ready, '/_svc/emails/delete', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"all":true}',
    });
    expect(id).toMatch(/^msg_/);
    expect(counts((await run(['longer.mbox', '--json'])).stdout)).toEqual({ imported: 4, skipped: 0, failed: 0 });
  });

  it.each([
    ['SIGKILL', null],
    ['SIGINT', 130],
  ] as const)('continues after %s without adding a message twice', async (signal, code) => {
    const total = 600;
    write('many.mbox', Array.from({ length: total }, (_, n) => `${separator}${message(`No ${n}`)}\n`).join(''));
    const count = async () => (await data(dev.ready, '/v1/emails?limit=1')).pagination.total as number;
    const first = start(['emails', 'import', 'many.mbox'], { env: envOf(dev), cwd: folder.path });
    const ended = once(first, 'exit');
    while ((await count()) < 5);
    first.kill(signal);
    expect((await ended)[0]).toBe(code);
    await settle();
    const before = await count();
    expect(before).toBeLessThan(total);

    const { stdout } = await run(['many.mbox', '--json']);

    const { imported, skipped, failed } = counts(stdout);
    expect([imported + skipped, failed]).toEqual([total, 0]);
    // The server may still add a message that it received before the signal.
    expect(skipped).toBeGreaterThanOrEqual(before);
    expect(await count()).toBe(total);
  });

  it('names what cannot be imported, and imports the rest', async () => {
    write('good.eml', message('Good'));
    write('empty.eml', '');
    write('nobody.eml', 'From: a@example.test\nSubject: x\n\nx\n');
    write('delivered.eml', 'Delivered-To: ada@example.test\nFrom: a@example.test\nSubject: Delivered\n\nx\n');

    const result = await run(['empty.eml', 'nobody.eml', 'good.eml', 'delivered.eml']);

    expect(result.code).toBe(1);
    expect(result.stderr.split('\n').sort()).toEqual([
      '',
      '2 emails imported, 2 failed.',
      'empty.eml: it is empty',
      'nobody.eml: The message has no recipient in To, Cc or Bcc.',
    ]);
    expect([...(await stored()).keys()].sort()).toEqual(['Delivered', 'Good']);
    const missing = await run(['none.eml']);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringMatching(/Cannot read none\.eml: no such file/) });
    expect(await run(['.'])).toMatchObject({ code: 2, stderr: expect.stringContaining('not a Maildir') });
    const json = await run(['empty.eml', '--json']);
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout).failures).toEqual([{ name: 'empty.eml', message: 'it is empty' }]);
  });

  it('reports a message of a mailbox that is too large, and imports the others', async () => {
    const line = `${'x'.repeat(99)}\n`;
    write('large.mbox', `${separator}${message('Large', line.repeat(430_000))}\n${separator}${message('Small')}`);
    const result = await run(['large.mbox']);
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('large.mbox:1: it is larger than') });
    expect([...(await stored()).keys()]).toEqual(['Small']);
  });

  it('recognizes a mailbox from a pipe whose first bytes come alone', async () => {
    const mailbox = Buffer.from(`${separator}${message('One')}\n${separator}${message('Two')}`);
    const names: string[] = [];
    let bytes = 0;
    const stream = Readable.from([mailbox.subarray(0, 3), mailbox.subarray(3, 9), mailbox.subarray(9)]);
    for await (const { name } of readStream('stdin', stream, (count) => (bytes += count))) names.push(name);
    expect(names).toEqual(['stdin:1', 'stdin:2']);
    expect(bytes).toBe(mailbox.length);
  });

  it.skipIf(!existsSync('/proc/self/mem'))('names a file that cannot be read, and imports the rest', async () => {
    write('good.eml', message('Good'));
    // Reading it fails, also for root.
    symlinkSync('/proc/self/mem', join(folder.path, 'unreadable.mbox'));
    const result = await run(['unreadable.mbox', 'good.eml']);
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/^unreadable\.mbox: it cannot be read: .*$/m);
    expect(result.stderr).toMatch(/^1 email imported, 1 failed\.$/m);
  });

  it('works without a server, and is refused without a control API', async () => {
    write('a.eml', message('A'));
    const env = { SVC_DATA_DIR: join(folder.path, 'data') };
    expect(await svc(['emails', 'import', join(folder.path, 'a.eml')], { env })).toMatchObject({ code: 0 });
    expect((await svc(['emails', 'list'], { env })).stdout).toMatch(/ A\b/);

    const closed = await startDev(['--in-memory', '--no-control']);
    const { base_url: SVC_BASE_URL, api_key: SVC_API_KEY } = closed.ready;
    const refused = await svc(['emails', 'import', join(folder.path, 'a.eml')], { env: { SVC_BASE_URL, SVC_API_KEY } });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('control API') });
    await closed.stop();
  });
});
