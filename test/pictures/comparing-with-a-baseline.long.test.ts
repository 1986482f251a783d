import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ComparisonOptions, compareWithBaseline } from '../../src/pictures/baseline.js';
import { openPictures, type Pictures } from '../../src/pictures/pictures.js';
import { svc } from '../support/cli/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { headlessPath, withoutChromium } from '../support/web/chromium-path.js';

const folder = folderOfEachTest();

/** Returns a PNG of one pixel that declares another width. */
function withWidth(width: number): Buffer {
  const png = PNG.sync.write(new PNG({ width: 1, height: 1 }));
  png.writeUInt32BE(width, 16);
  return png;
}

describe.skipIf(withoutChromium)(`a baseline${withoutChromium}`, () => {
  let pictures: Pictures;
  beforeAll(async () => {
    pictures = await openPictures({ env: { ...process.env, SVC_BROWSER: headlessPath, SVC_BROWSER_SANDBOX: '0' } });
  });
  afterAll(() => pictures.close());

  const file = () => join(folder.path, 'baseline/order.png');
  const difference = () => join(folder.path, 'baseline/order.diff.png');
  const compare = (html: string, options: Partial<ComparisonOptions> = {}) =>
    compareWithBaseline(pictures, file(), { html, text: '' }, { howToUpdate: 'add --update', ...options });

  it('is written only with an update, and equals the same email', async () => {
    expect(await compare('<p>Hello</p>')).toMatchObject({
      passed: false,
      message: expect.stringMatching(/does not exist.*add --update/),
    });
    expect(existsSync(file())).toBe(false);

    expect(await compare('<p>Hello</p>', { update: true })).toMatchObject({ passed: true, message: 'written' });
    expect(await compare('<p>Hello</p>')).toMatchObject({ passed: true });
  });

  it('ignores codes, IDs, times and masked elements', async () => {
    const html = (code: string, day: string) =>
      `<p>Your code is ${code}, sent at 2026-01-0${day}T00:00:00Z</p><p class="day">${day}</p>`;
    const mask = ['.day'];

    await compare(html('123456', '1'), { codes: ['123456'], mask, update: true });
    expect(await compare(html('777', '2'), { codes: ['777'], mask })).toMatchObject({ passed: false });
    expect(await compare(html('987654', '2'), { codes: ['987654'], mask })).toMatchObject({ passed: true });
  });

  it('fails for another picture, with one of the difference, until the update', async () => {
    await compare('<p>Hello</p>', { update: true });

    const failed = await compare('<p>Hallo</p>');
    const { width } = PNG.sync.read(readFileSync(difference()));
    expect(failed).toMatchObject({ passed: false, difference: difference() });
    expect(failed.message).toMatch(/^\d+ pixels \(\d+\.\d\d %\) differ; to accept the picture, add --update$/);
    expect(width).toBe(3 * 600 + 2 * 16);
    expect(await compare('<p>Hallo</p>', { threshold: 5 })).toMatchObject({ passed: true });

    await compare('<p>Hallo</p>', { update: true });
    expect(await compare('<p>Hallo</p>')).toMatchObject({ passed: true });
    expect(existsSync(difference())).toBe(false);
  });

  it('fails for another size, whatever the threshold is', async () => {
    await compare('<p>Hello</p>', { update: true });

    const failed = await compare(`<div style="height:300px"></div>`, { threshold: 100 });
    expect(failed.message).toContain('the baseline has 600 × 100 pixels, the picture 600 × 3');
    expect(existsSync(difference())).toBe(true);
  });

  it('names another browser first', async () => {
    await compare('<p>Hello</p>', { update: true });
    const png = readFileSync(file());
    const at = png.indexOf('tEXt');
    png.write('Chromium 11', png.indexOf('Chromium'), 'latin1');
    png.writeUInt32BE(crc32(png.subarray(at, at + 4 + png.readUInt32BE(at - 4))), at + 4 + png.readUInt32BE(at - 4));
    writeFileSync(file(), png);

    const { message } = await compare('<p>Hallo</p>');
    expect(message).toMatch(
      /^Another browser or other fonts draw other pixels: the baseline was made with Chromium 11/,
    );
  });

  it.each<[what: string, bytes: () => Buffer, reason: string]>([
    ['another file', () => Buffer.from('GIF89a'), 'it is not a complete PNG file'],
    [
      'half a PNG',
      () => PNG.sync.write(new PNG({ width: 9, height: 9 })).subarray(0, 60),
      'it is not a complete PNG file',
    ],
    ['a PNG that is too large', () => withWidth(5_000), 'it has 5000 × 1 pixels, and svc draws at most 4000 × 16000'],
    ['a PNG that declares an impossible size', () => withWidth(2_000_000_000), 'it has 2000000000 × 1 pixels'],
  ])('that is %s fails, and an update replaces it', async (_, bytes, reason) => {
    mkdirSync(join(folder.path, 'baseline'));
    writeFileSync(file(), bytes());

    const { passed, message } = await compare('<p>Hello</p>');
    expect([passed, message]).toEqual([false, expect.stringContaining(`the baseline cannot be used: ${reason}`)]);
    expect(message).toMatch(/; to replace it, add --update$/);
    expect(await compare('<p>Hello</p>', { update: 'missing' })).toMatchObject({ passed: false });
    expect(await compare('<p>Hello</p>', { update: true })).toMatchObject({ passed: true, message: 'replaced' });
    expect(await compare('<p>Hello</p>')).toMatchObject({ passed: true });
  });

  it('is compared for each sample by svc templates check, and one that is damaged fails its template only', async () => {
    for (const name of ['order', 'other']) {
      mkdirSync(join(folder.path, 'emails', name), { recursive: true });
      const write = (file: string, text: string) => writeFileSync(join(folder.path, 'emails', name, file), text);
      write('template.json', JSON.stringify({ name, subject: 'Hi' }));
      write('body.html', '<p>{{name}}</p>');
      write('sample.json', '{"name": "Ada"}');
      if (name === 'order') write('sample.long.json', '{"name": "Ada King, Countess of Lovelace"}');
    }
    const env = { SVC_BROWSER: headlessPath, SVC_BROWSER_SANDBOX: '0' };
    const check = (...args: string[]) =>
      svc(['templates', 'check', 'emails', '--fail-on', 'error', '--baseline', 'base', ...args], {
        cwd: folder.path,
        env,
      });

    expect((await check('--update')).code).toBe(0);
    expect(readdirSync(join(folder.path, 'base')).sort()).toEqual(['order.long.png', 'order.png', 'other.png']);
    writeFileSync(join(folder.path, 'emails/order/sample.long.json'), '{"name": "Ada Lovelace"}');
    writeFileSync(join(folder.path, 'base/other.png'), 'damaged');
    const { code, stdout, stderr } = await check();
    expect([code, stderr]).toEqual([3, expect.stringContaining('2 templates checked, 2 failed.\n')]);
    expect(stdout).toMatch(/ {2}passed {3}screenshot base\/order\.png: the email equals the picture$/m);
    expect(stdout).toMatch(/ {2}error {4}screenshot base\/order\.long\.png: \d+ pixels/m);
    expect(stdout).toMatch(/ {2}error {4}screenshot base\/other\.png: the baseline cannot be used/m);
    expect((await check('--update')).code).toBe(0);
    expect((await check()).code).toBe(0);
  });

  it('is compared by svc emails assert and svc templates check', async () => {
    rmSync(folder.path, { recursive: true });
    mkdirSync(join(folder.path, 'emails/order'), { recursive: true });
    const write = (text: string) => writeFileSync(join(folder.path, 'emails/order/body.html'), `<p>${text}</p>`);
    writeFileSync(join(folder.path, 'emails/order/template.json'), JSON.stringify({ name: 'order', subject: 'Hi' }));
    const env = { SVC_BROWSER: headlessPath, SVC_BROWSER_SANDBOX: '0' };
    const check = (...args: string[]) =>
      svc(['templates', 'check', 'emails', '--fail-on', 'error', '--baseline', 'base', ...args], {
        cwd: folder.path,
        env,
      });

    write('Hello');
    expect((await check()).stdout).toContain('screenshot base/order.png: the file does not exist; to write it, add');
    expect((await check('--update')).code).toBe(0);
    expect((await check()).code).toBe(0);
    write('Hallo');
    const { code, stdout, stderr } = await check('--junit', 'report.xml');

    expect(code).toBe(3);
    expect(stdout).toMatch(/^ {2}error {4}screenshot base\/order\.png: \d+ pixels/m);
    expect(stderr).toMatch(/^order: 1 picture failed\.\n1 template checked, 1 failed\.$/m);
    expect(readFileSync(join(folder.path, 'report.xml'), 'utf8')).toContain('[[ATTACHMENT|base/order.diff.png]]');

    expect((await check('--threshold', '0.001')).code).toBe(3);
    expect((await check('--threshold', '5.5')).code).toBe(0);
    expect((await check('--threshold', '100.5')).stderr).toContain('must be a number from 0 to 100, such as 0.5');

    const { startServer } = folder;
    const server = await startServer();
    const data = { SVC_DATA_DIR: folder.path, ...env };
    const run = (...args: string[]) => svc(['emails', ...args], { cwd: folder.path, env: data });
    await run('send', '--to', 'ada@example.test', '--from', 'a@example.test', '--subject', 'Hi', '--html', '<p>Hi</p>');
    const missing = await run('assert', '--screenshot', 'mail.png');
    const written = await run('assert', '--screenshot', 'mail.png', '--update');
    const equal = await run('assert', '--screenshot', 'mail.png');
    await server.stop();

    expect([missing.code, written.code, equal.code]).toEqual([3, 0, 0]);
    expect((await run('assert', '--dark')).stderr).toContain('--dark requires --screenshot.');
  });
});
