import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';
import { folderOfEachTest } from '../support/each-test.js';
import { headlessPath, withoutChromium } from '../support/web/chromium-path.js';

const folder = folderOfEachTest();

const SEND = `
async function send(svc, to, color) {
  await fetch(svc.baseUrl + '/emails', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + svc.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      to, from: 'shop@example.test', subject: 'Your order',
      html: '<p style="color:' + color + '">Your code is ' + Math.floor(1e5 + Math.random() * 9e5) + '</p>'
        + '<script>document.title = "run"</script><a href="https://shop.example/orders/7">Your order</a>',
    }),
  });
}
`;

it('is loaded without import(), which jest refuses', () => {
  const kit = join(ROOT, 'dist/testing');
  const files = readdirSync(kit, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((name) => /\bimport\(/.test(readFileSync(join(kit, name), 'utf8')))).toEqual([]);
});

describe.skipIf(withoutChromium)(`a picture as an expectation${withoutChromium}`, () => {
  beforeEach(() => {
    mkdirSync(join(folder.path, 'node_modules'));
    symlinkSync(ROOT, join(folder.path, 'node_modules/svc-cli'));
    for (const name of ['vitest', '@playwright']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(folder.path, 'node_modules', name));
    }
  });

  const env = { ...process.env, SVC_BROWSER: headlessPath, SVC_BROWSER_SANDBOX: '0', NO_COLOR: '1', CI: '' };
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const run = (args: string[], more: Record<string, string> = {}) =>
    new Promise<{ code: unknown; output: string }>((resolve) => {
      execFile(process.execPath, args, { cwd: folder.path, env: { ...env, ...more } }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, output: stdout + stderr }),
      );
    });
  const vitest = (flags: string[] = [], more: Record<string, string> = {}) =>
    run([join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...flags], more);
  const pictures = () =>
    readdirSync(folder.path, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^(?!node_modules).*\.png$/.test(name),
    );

  it('is kept next to a test of vitest, a difference is shown, and CI writes none', async () => {
    write('vitest.config.mjs', 'export default {}');
    const test = (lines: string) =>
      write(
        'order.test.mjs',
        `import { expect, test } from 'svc-cli/testing/vitest';${SEND}
test('order', async ({ svc, inbox }) => {
  const receive = async (color) => (await send(svc, inbox.address, color), inbox.waitFor());
  const match = async (color, name = 'order', more = {}) =>
    expect(await receive(color)).toMatchEmailScreenshot(name, { width: 400, ...more });
  ${lines}
}, 60_000);
`,
      );

    test(`await match('black'); await match('red');`);
    const failed = await vitest();
    expect(pictures()).toContain('__screenshots__/order.test.mjs/order.png');
    expect(failed.code).toBe(1);
    expect(failed.output).toMatch(
      /order\.png: \d+ pixels \([\d.]+ %\) differ; to accept the picture, run vitest with --update\.\n\s*Baseline, email and difference: \S+order\.diff\.png/,
    );

    test(`await match('red');`);
    expect(await vitest(['--update'])).toMatchObject({ code: 0 });

    test(`await match('red');
  await expect(match('red', 'other')).rejects.toThrow('the file does not exist');
  await expect(match('red', '../order')).rejects.toThrow('needs letters');
  await expect(match('red', 'order', { drak: true })).rejects.toThrow('dark');`);
    const { code, output } = await vitest([], { CI: 'true' });
    expect(code, output).toBe(0);
    expect(pictures()).toEqual(['__screenshots__/order.test.mjs/order.png']);
  });

  it('is in the report of Playwright, with every email that a test waited for', async () => {
    write(
      'playwright.config.mjs',
      "export default { testDir: '.', timeout: 180_000, reporter: [['json', { outputFile: 'report.json' }]] }",
    );
    const writeTests = (...colors: string[]) =>
      write(
        'order.spec.mjs',
        `import { expect, test } from 'svc-cli/testing/playwright';${SEND}
test('nothing', () => {});
for (const color of ${JSON.stringify(colors)}) {
  test(color, async ({ svc, inbox }) => {
    await send(svc, inbox.address, color);
    await expect(await inbox.waitFor()).toMatchEmailScreenshot('order');
  });
}
`,
      );
    const playwright = async (...flags: string[]) => {
      rmSync(join(folder.path, 'report.json'), { force: true });
      await run([join(ROOT, 'node_modules/@playwright/test/cli.js'), 'test', ...flags]);
      const { suites } = JSON.parse(readFileSync(join(folder.path, 'report.json'), 'utf8'));
      return suites[0].specs.map(({ title, ok, tests }: Spec) => ({
        title,
        ok,
        attachments: tests[0]?.results[0]?.attachments ?? [],
      }));
    };

    writeTests('black', 'red');
    const [nothing, order, failed] = await playwright();
    expect(order).toMatchObject({
      ok: true,
      attachments: [
        { name: 'Your order: picture', contentType: 'image/png' },
        { name: 'Your order: page', contentType: 'text/html' },
        { name: 'Your order: header and links', contentType: 'text/plain' },
      ],
    });
    const [picture, page, header] = order.attachments.map(({ body }: { body: string }) => Buffer.from(body, 'base64'));
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(page.toString()).toMatch(/Content-Security-Policy[\s\S]*sandbox="allow-popups[\s\S]*Your code is/);
    expect(header.toString()).toMatch(
      /^Subject: Your order\r?$[\s\S]*Links:\n {2}https:\/\/shop\.example\/orders\/7[\s\S]*Codes:\n {2}\d{6}/m,
    );
    expect(nothing).toEqual({ title: 'nothing', ok: true, attachments: [] });
    expect(failed.ok).toBe(false);
    expect(failed.attachments[0]).toMatchObject({
      name: 'order: baseline, email and difference',
      contentType: 'image/png',
    });

    const black = readFileSync(join(folder.path, pictures()[0] as string));
    writeTests('red');
    expect((await playwright('--update-snapshots'))[1].ok).toBe(true);
    expect(pictures()).toHaveLength(1);
    expect(readFileSync(join(folder.path, pictures()[0] as string)).equals(black)).toBe(false);
  });
});

interface Spec {
  title: string;
  ok: boolean;
  tests: { results: { attachments: { name: string }[] }[] }[];
}
