import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ComparisonOptions, compareWithBaseline } from '../../src/pictures/baseline.js';
import { openPictures, type Pictures } from '../../src/pictures/pictures.js';
import { svc } from '../support/cli/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { chromiumPath, withoutChromium } from '../support/web/chromium-path.js';

const folder = folderOfEachTest();

describe.skipIf(chromiumPath === undefined)(`a baseline${withoutChromium}`, () => {
  let pictures: Pictures;
  beforeAll(async () => {
    pictures = await openPictures({ env: { ...process.env, SVC_BROWSER: chromiumPath, SVC_BROWSER_SANDBOX: '0' } });
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

  it('is refused if it is not a PNG, or declares an impossible size', async () => {
    mkdirSync(join(folder.path, 'baseline'));
    writeFileSync(file(), 'GIF89a');
    await expect(compare('<p>Hello</p>')).rejects.toThrow(/order\.png is not a valid PNG/);

    const bomb = PNG.sync.write(new PNG({ width: 1, height: 1 }));
    bomb.writeUInt32BE(2_000_000_000, 16);
    writeFileSync(file(), bomb);
    await expect(compare('<p>Hello</p>')).rejects.toThrow(/it has 2000000000 × 1 pixels/);
  });

  it('is compared by svc emails assert and svc templates check', async () => {
    rmSync(folder.path, { recursive: true });
    mkdirSync(join(folder.path, 'emails/order'), { recursive: true });
    const write = (text: string) => writeFileSync(join(folder.path, 'emails/order/body.html'), `<p>${text}</p>`);
    writeFileSync(join(folder.path, 'emails/order/template.json'), JSON.stringify({ name: 'order', subject: 'Hi' }));
    const env = { SVC_BROWSER: chromiumPath, SVC_BROWSER_SANDBOX: '0' };
    const check = (...args: string[]) =>
      svc(['templates', 'check', 'emails', '--fail-on', 'error', '--baseline', 'base', ...args], {
        cwd: folder.path,
        env,
      });

    write('Hello');
    expect((await check('--update')).code).toBe(0);
    expect((await check()).code).toBe(0);
    write('Hallo');
    const { code, stdout, stderr } = await check('--junit', 'report.xml');

    expect(code).toBe(3);
    expect(stdout).toMatch(/PICTURE DIFFERS: \d+ pixels/);
    expect(stderr).toMatch(/order: the picture differs\..*1 template checked, 1 failed\./s);
    expect(readFileSync(join(folder.path, 'report.xml'), 'utf8')).toContain('[[ATTACHMENT|base/order.diff.png]]');

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
