import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkArtifactDirectory, removeArtifacts } from '../../../src/cli/server/exec/artifacts/artifact-directory.js';
import { Captured, runStart } from '../../../src/cli/server/exec/artifacts/captured.js';
import { writeArtifacts } from '../../../src/cli/server/exec/artifacts/write-artifacts.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { capture, capturedBy, clientOf } from './running.js';

/** Tests the files that svc dev exec --artifacts writes. */

describe('artifacts', () => {
  let app: TestApp;
  let folder: ReturnType<typeof temporaryDirectory>;
  let directory: string;
  beforeEach(async () => {
    app = await startApp();
    folder = temporaryDirectory();
    directory = join(folder.path, 'artifacts');
  });
  afterEach(async () => {
    await app.closeClean();
    folder.remove();
  });

  const write = () => writeArtifacts(directory, capturedBy(app), 'npm test exited with code 1');
  const read = (name: string) => readFileSync(join(directory, name), 'utf8');
  const linesOf = (name: string) =>
    read(name)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('contain every message in four forms, and events, deliveries and requests', async () => {
    const MESSAGE = 'From: a@x.test\nTo: b@x.test\nSubject: Hi\n\n.no line end';
    const id = await capture(app, MESSAGE);
    const sent = await app.call('POST', '/v1/emails', {
      to: 'ada@x.test',
      from: 'a@x.test',
      subject: 'S',
      html: '<b>B</b>',
    });
    await app.call('POST', '/_svc/settle', {});

    await write();

    expect(read(`messages/${id}.eml`)).toBe(MESSAGE);
    expect(read(`messages/${id}.txt`)).toBe('.no line end');
    const sentId = sent.json.data.id;
    expect(read(`messages/${sentId}.txt`)).toBe('B');
    expect(JSON.parse(read(`messages/${sentId}.json`))).toMatchObject({ id: sentId, subject: 'S', html: '<b>B</b>' });
    expect(readdirSync(join(directory, 'messages')).sort()).toEqual(
      [id, sentId].flatMap((each) => ['eml', 'html', 'json', 'txt'].map((type) => `${each}.${type}`)).sort(),
    );
    expect(linesOf('events.jsonl').map(({ type }) => type)).toEqual(
      expect.arrayContaining(['email.sent', 'email.delivered']),
    );
    expect(linesOf('requests.jsonl')).toMatchObject([{ method: 'POST', path: '/v1/emails', status: 201 }]);
    expect(linesOf('deliveries.jsonl')).toEqual([]);
    expect(statSync(join(directory, 'messages', `${id}.eml`)).mode & 0o077).toBe(0);
    expect(read('index.html')).toContain(`<a id="${id}" href="messages/${id}.html" target="message">Hi</a>`);
  });

  it('contain webhook deliveries with their attempts', async () => {
    // The connection is refused.
    await clientOf(app).call('webhooks.create', { body: { url: 'http://127.0.0.1:9/hook', events: ['email.sent'] } });
    await app.call('POST', '/v1/emails', { to: 'ada@x.test', from: 'a@x.test', subject: 'S', html: 'x' });
    await app.call('POST', '/_svc/settle', {});

    await write();

    expect(linesOf('deliveries.jsonl')).toMatchObject([
      { type: 'email.sent', state: 'pending', attempts: 1, log: [{ attempt: 1, error: expect.any(String) }] },
    ]);
    expect(read('index.html')).toContain('http://127.0.0.1:9/hook');
  });

  it('escape what emails contain', async () => {
    const hostile = '</a></iframe><script>alert(1)</script>"onload=x';
    const { json } = await app.call('POST', '/v1/emails', {
      to: 'ada@x.test',
      from: 'a@x.test',
      subject: hostile,
      html: `${hostile}<meta http-equiv=refresh content="0;url=https://x.test"><iframe srcdoc="<script>1</script>">`,
    });

    await write();

    for (const name of ['index.html', `messages/${json.data.id}.html`]) {
      expect(read(name)).not.toMatch(/<script|<meta http-equiv=refresh/);
      expect(read(name).match(/<iframe /g)).toHaveLength(1);
      expect(read(name).match(/<\/iframe>/g)).toHaveLength(1);
    }
    expect(read(`messages/${json.data.id}.html`)).toContain(
      '<iframe title="Email" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="',
    );
  });

  it('replace earlier ones, and leave other files alone', async () => {
    const first = await capture(app, 'From: a@x.test\nTo: b@x.test\n\n1');
    await write();
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    await app.call('POST', '/_svc/reset');
    const second = await capture(app, 'From: a@x.test\nTo: b@x.test\n\n2');

    expect(checkArtifactDirectory(directory)).toBe(directory);
    await write();

    expect(existsSync(join(directory, 'messages', `${first}.eml`))).toBe(false);
    expect(existsSync(join(directory, 'messages', `${second}.eml`))).toBe(true);
    expect(read('notes.txt')).toBe('mine');
    expect(readdirSync(directory).filter((name) => name.startsWith('.svc-draft'))).toEqual([]);
  });

  it('are removed when the next run starts, without other files', async () => {
    await capture(app, 'From: a@x.test\nTo: b@x.test\n\n1');
    await write();
    writeFileSync(join(directory, 'notes.txt'), 'mine');

    removeArtifacts(directory);

    expect(readdirSync(directory).sort()).toEqual(['.svc-artifacts', 'notes.txt']);
    expect(checkArtifactDirectory(directory)).toBe(directory);
    removeArtifacts(join(folder.path, 'missing'));
  });

  it('leave the draft of a process that is running', async () => {
    await write();
    const [running, ended] = [`.svc-draft.${process.ppid}.aa`, '.svc-draft.99999999.bb'];
    for (const name of [running, ended]) mkdirSync(join(directory, name));

    await write();

    expect(readdirSync(directory).filter((name) => name.startsWith('.svc-draft'))).toEqual([running]);
  });

  it('contain each of many messages and deliveries once', async () => {
    await clientOf(app).call('webhooks.create', { body: { url: 'http://127.0.0.1:9/hook', events: ['email.sent'] } });
    for (let index = 0; index < 40; index += 1) {
      await app.call('POST', '/v1/emails', { to: 'ada@x.test', from: 'a@x.test', subject: `n ${index}`, html: 'x' });
    }
    await app.call('POST', '/_svc/settle', {});

    await write();

    expect(readdirSync(join(directory, 'messages'))).toHaveLength(160);
    expect(new Set(linesOf('deliveries.jsonl').map(({ event_id }) => event_id)).size).toBe(40);
    const subjects = Array.from(read('index.html').matchAll(/>n (\d+)</g), ([, number]) => Number(number));
    expect(subjects).toEqual(Array.from({ length: 40 }, (_, index) => 39 - index));
  });

  it('contain only what the run caused, and read no deliveries before it', async () => {
    const client = clientOf(app);
    await client.call('webhooks.create', { body: { url: 'http://127.0.0.1:9/hook', events: ['email.sent'] } });
    const send = async () => {
      await app.call('POST', '/v1/emails', { to: 'ada@x.test', from: 'a@x.test', subject: 'S', html: 'x' });
      await app.call('POST', '/_svc/settle', {});
    };
    for (let index = 0; index < 3; index += 1) await send();
    const start = await runStart(client);
    await send();

    const captured = new Captured(client, start);
    await writeArtifacts(directory, captured, 'x');

    expect(linesOf('deliveries.jsonl')).toHaveLength(1);
    expect(readdirSync(join(directory, 'messages'))).toHaveLength(4);
    expect(start.delivery).toMatch(/^dlv_/);
  });

  it.each([
    ['with other files', () => writeFileSync(join(directory, 'thesis.doc'), 'x')],
    ['with a marker that is a link', () => symlinkSync('/etc/hostname', join(directory, '.svc-artifacts'))],
  ])('are not written to a directory %s', async (_, fill) => {
    mkdirSync(directory);
    fill();

    expect(() => checkArtifactDirectory(directory)).toThrow('is not empty, and svc did not write it.');
    await expect(write()).rejects.toThrow('is not empty, and svc did not write it.');
    expect(readdirSync(directory)).toHaveLength(1);
  });

  it('are checked without leaving anything behind', () => {
    expect(checkArtifactDirectory(join(directory, 'deep', 'er'))).toBe(join(directory, 'deep', 'er'));
    expect(existsSync(directory)).toBe(false);
    writeFileSync(directory, '');
    expect(() => checkArtifactDirectory(directory)).toThrow(`--artifacts: ${directory} is a file, not a directory.`);
    expect(() => checkArtifactDirectory('/proc/svc')).toThrow('Cannot write artifacts to /proc/svc: ');
  });

  it('keep the earlier ones if they cannot be written completely', async () => {
    const id = await capture(app, 'From: a@x.test\nTo: b@x.test\n\n1');
    await write();
    const before = read('index.html');
    const captured = capturedBy(app);
    captured.requests = () => {
      throw Object.assign(new Error('write'), { code: 'ENOSPC', syscall: 'write' });
    };

    await expect(writeArtifacts(directory, captured, 'x')).rejects.toThrow(
      `Cannot write artifacts to ${directory}: the disk is full.`,
    );

    expect(read('index.html')).toBe(before);
    expect(existsSync(join(directory, 'messages', `${id}.eml`))).toBe(true);
    expect(readdirSync(directory).filter((name) => name.startsWith('.svc-draft'))).toEqual([]);
  });
});
