import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkArtifactDirectory } from '../../../src/cli/server/exec/artifacts/artifact-directory.js';
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
