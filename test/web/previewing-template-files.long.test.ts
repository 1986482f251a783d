import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../../scripts/test-clients.js';
import { ROOT, start, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import { launchBrowser, openInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests the page of `svc templates dev`, in a browser and over HTTP. */

const withoutCompilers = skippedWithout('the compilers of templates', isComplete('compilers'), 'npm run test-clients');

let folder: ReturnType<typeof temporaryDirectory>;
let child: ChildProcess;
let origin: string;

const emails = () => join(folder.path, 'emails');
const welcome = (file: string) => join(emails(), 'welcome', file);
const env = () => ({ SVC_DATA_DIR: join(folder.path, '.svc'), SVC_CONFIG_DIR: folder.path });

async function startPreview(): Promise<void> {
  child = start(['templates', 'dev', 'emails', '--print', '--port', '0'], { cwd: folder.path, env: env() });
  [origin] = (await once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line')) as [string];
}

async function stopPreview(): Promise<number> {
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  return code;
}

beforeEach(async () => {
  folder = temporaryDirectory();
  for (const name of ['welcome', 'receipt'])
    cpSync(join(ROOT, 'templates', name), join(emails(), name), { recursive: true });
  writeFileSync(welcome('sample.de.json'), JSON.stringify({ product_name: 'Müller & Söhne', never: 'used' }));
  await startPreview();
});
afterEach(async () => {
  if (child.exitCode === null) await stopPreview();
  folder.remove();
});

describe('the server of the page', () => {
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const sent = request(origin + path, { headers }).end();
    const [response] = await once(sent, 'response');
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += chunk;
    return { status: response.statusCode as number, headers: response.headers, body };
  };

  it.each([
    ['a page of another site', { origin: 'https://evil.test' }],
    ['a name that leads to this machine', { host: 'evil.test' }],
  ])('refuses %s', async (_, headers) => {
    expect(await get('/preview/folder', headers)).toMatchObject({
      status: 403,
      body: expect.stringContaining('evil.test'),
    });
  });

  it.each([
    ['a template outside of the folder', 'template=..%2F..%2Fetc&sample='],
    ['a sample outside of the template', 'template=welcome&sample=..%2F..%2Fpackage.json'],
    ['no template', ''],
    ['a template twice', 'template=welcome&template=receipt&sample='],
  ])('refuses %s', async (_, query) => {
    for (const path of ['rendered', 'checks', 'html']) {
      const { status, body } = await get(`/preview/${path}?${query}`);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(body).message).not.toBe('');
    }
  });

  it('refuses to send for a program, and a body that is not an order', async () => {
    const send = (body: string, headers: Record<string, string>) =>
      fetch(`${origin}/preview/send`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await send('{"template":"welcome","to":"a@x.test"}', {})).status).toBe(403);
    for (const body of ['', '[]', '"x"', '{"to":1}', '{"to":"a@x.test"}']) {
      expect((await send(body, { origin })).status).toBe(400);
    }
  });

  it('refuses a view of a mail client that has none, with the names to choose from', async () => {
    for (const [client, reason] of [
      ['eudora', 'Mail client "eudora" not found.'],
      ['outlook.windows', 'Outlook (classic, Windows) has a list of changes and no view.'],
    ]) {
      const { status, body } = await get(`/preview/html?template=welcome&sample=&client=${client}`);
      expect([status, JSON.parse(body)]).toEqual([
        400,
        { message: reason, hint: expect.stringContaining('gmail.ios') },
      ]);
    }
    const { status, body } = await get('/preview/view?template=welcome&sample=&client=eudora');
    expect([status, JSON.parse(body).hint]).toEqual([400, expect.stringMatching(/^Choose from: .*outlook\.windows/)]);
  });

  it('sends HTML that runs and loads nothing', async () => {
    writeFileSync(welcome('body.html'), '<img src="https://track.test/x.png"><script>alert(1)</script><p>{{name}}</p>');
    const { headers, body } = await get('/preview/html?template=welcome&sample=sample.json');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*sandbox allow-popups/);
    expect(body).not.toMatch(/script|track\.test/);
  });

  it('names the file and what is wrong in it, and shows the other templates', async () => {
    writeFileSync(welcome('template.json'), '{"name": "welcome",');
    const { status, body } = await get('/preview/rendered?template=welcome&sample=');
    expect([status, JSON.parse(body).message]).toEqual([422, expect.stringContaining(welcome('template.json'))]);
    expect((await get('/preview/rendered?template=receipt&sample=sample.json')).status).toBe(200);
  });

  it('continues when a folder that disappeared returns, also one that a source includes', async () => {
    const events = request(`${origin}/preview/events`).end();
    const [stream] = await once(events, 'response');
    let count = 0;
    stream.setEncoding('utf8').on('data', (text: string) => {
      count += text.split('data: changed').length - 1;
    });
    const afterChange = async (change: () => void) => {
      const before = count;
      change();
      await expect.poll(() => count).toBeGreaterThan(before);
    };
    const included = join(folder.path, 'included');
    const compiler = 'module.exports = async (html) => ({ html, errors: [] });';
    mkdirSync(join(folder.path, 'node_modules/mjml'), { recursive: true });
    writeFileSync(join(folder.path, 'node_modules/mjml/index.js'), compiler);
    mkdirSync(included);
    rmSync(welcome('body.html'));
    await afterChange(() => writeFileSync(welcome('body.mjml'), '<mj-include path="../../included/part.mjml">'));
    await svc(['templates', 'check', 'emails', '--allow-code'], { cwd: folder.path, env: env() });
    const rendered = () => get('/preview/rendered?template=welcome&sample=');
    expect(await rendered()).toMatchObject({ status: 200 });

    await afterChange(() => renameSync(included, `${included}.bak`));
    await rendered();
    await afterChange(() => renameSync(`${included}.bak`, included));
    await rendered();
    await afterChange(() => writeFileSync(join(included, 'part.mjml'), ''));

    await afterChange(() => renameSync(emails(), `${emails()}.bak`));
    const { status, body } = await get('/preview/folder');
    expect([status, JSON.parse(body).message]).toEqual([422, `Cannot read ${emails()}: no such file or directory.`]);
    await afterChange(() => renameSync(`${emails()}.bak`, emails()));
    expect(await get('/preview/folder')).toMatchObject({ status: 200 });
    await afterChange(() => writeFileSync(welcome('sample.json'), '{}'));
    events.destroy();
    expect(await stopPreview()).toBe(0);
  });

  it('shows a template with a sample while another is broken', async () => {
    writeFileSync(welcome('sample.json'), '{"name": ');
    expect((await get('/preview/rendered?template=welcome&sample=sample.de.json')).status).toBe(200);
    expect((await get('/preview/checks?template=welcome&sample=sample.de.json')).status).toBe(200);
    expect((await get('/preview/rendered?template=welcome&sample=sample.json')).status).toBe(422);
  });

  it('writes nothing into the folder', async () => {
    const before = readdirSync(folder.path, { recursive: true }).sort();
    await get('/preview/checks?template=welcome&sample=sample.json');
    expect(await stopPreview()).toBe(0);
    expect(readdirSync(folder.path, { recursive: true }).sort()).toEqual(before);
  });

  it('explains that a port is taken, and that a directory has no templates', async () => {
    const { port } = new URL(origin);
    expect(await svc(['templates', 'dev', emails(), '--print', '--port', port])).toMatchObject({
      code: 1,
      stderr: `Error: Port ${port} is already in use.\nChoose another with --port.\n`,
    });
    mkdirSync(join(folder.path, 'empty'));
    expect(await svc(['templates', 'dev', join(folder.path, 'empty')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not contain any templates'),
    });
  });
});

describe.skipIf(withoutBrowser)(`the page${withoutBrowser}`, () => {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openInbox>>;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  const open = async (path: string) => {
    opened = await openInbox(browser, origin, path);
    return opened.page;
  };
  afterEach(async () => {
    expect(opened.problems).toEqual([]);
    await opened.close();
  });

  const frame = () => opened.page.frameLocator('iframe[title="HTML with the sample data"]');
  const view = (name: string) => opened.page.getByRole('button', { name, exact: true }).click();

  it('shows each template with its samples, and what they lack', async () => {
    const page = await open('/');
    await page.getByRole('link', { name: 'welcome' }).click();
    await frame().getByText('Hello Ada').waitFor();
    expect(await page.getByText('KiB of HTML').textContent()).not.toContain('Gmail');

    await page.getByRole('combobox', { name: 'Sample data' }).selectOption('sample.de.json');
    await frame().getByText('Your account at Müller & Söhne').waitFor();
    await page.getByText(/placeholders without a value: name, /).waitFor();
    await page.getByText('Not used by the template: never').waitFor();
    expect(page.url()).toBe(`${origin}/#/welcome/sample.de.json`);

    await page.getByRole('combobox', { name: 'Mail client' }).selectOption('Outlook (new, web)');
    await page.getByText('Outlook (new, web), approximate').waitFor();
    await frame().getByText('Your account at Müller & Söhne').waitFor();

    await view('Text');
    await page.getByText('Hello {{name}}').waitFor();
    await view('Checks');
    await page.getByText('placeholders without a value in the sample data').waitFor();
    await view('All samples');
    const titles = await page.locator('h3').allTextContents();
    expect(titles).toEqual([
      'sample.json, light',
      'sample.json, dark',
      'sample.de.json, light',
      'sample.de.json, dark',
    ]);
    await page
      .frameLocator('iframe[title="sample.de.json, dark"]')
      .getByText('Your account at Müller & Söhne')
      .waitFor();
  });

  it('shows each save, also of a replaced file, a new template, and an error until it is corrected', async () => {
    const page = await open('/#/welcome');
    await frame().getByText('Hello Ada').waitFor();
    const html = readFileSync(welcome('body.html'), 'utf8');
    writeFileSync(welcome('body.html'), html.replace('Hello', 'Good morning'));
    await frame().getByText('Good morning Ada').waitFor();
    // As many editors save.
    writeFileSync(welcome('body.tmp'), html.replace('Hello', 'Good evening'));
    renameSync(welcome('body.tmp'), welcome('body.html'));
    await frame().getByText('Good evening Ada').waitFor();

    writeFileSync(welcome('sample.json'), '{"name": ');
    await page.getByRole('alert').getByText(welcome('sample.json')).waitFor();
    writeFileSync(welcome('sample.json'), '{"name": "Grace"}');
    await frame().getByText('Good evening Grace').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    cpSync(join(emails(), 'welcome'), join(emails(), 'another'), { recursive: true });
    await page.getByRole('link', { name: 'another' }).click();
    writeFileSync(join(emails(), 'another', 'sample.json'), '{"name": "Edsger"}');
    await frame().getByText('Good evening Edsger').waitFor();
    rmSync(join(emails(), 'another'), { recursive: true });
    await page.getByRole('heading', { name: 'No template another' }).waitFor();
  });

  it.skipIf(withoutCompilers)(`shows each save of a React component${withoutCompilers}`, async () => {
    symlinkSync(programs.compilerModules, join(folder.path, 'node_modules'));
    const part = (word: string) => `export const Part = ({ name }) => <b>${word} {name}</b>;`;
    mkdirSync(join(folder.path, 'parts'));
    writeFileSync(join(folder.path, 'parts/part.jsx'), part('Hello'));
    rmSync(welcome('body.html'));
    writeFileSync(
      welcome('body.jsx'),
      "import { Part } from '../../parts/part';\nexport default (props) => <p><Part name={props.name} /></p>;",
    );
    const page = await open('/#/welcome');
    await page.getByRole('alert').getByText('pass --allow-code once').first().waitFor();
    await svc(['templates', 'render', 'emails/welcome', '--allow-code'], { cwd: folder.path, env: env() });
    await page.reload();
    await frame().getByText('Hello Ada').waitFor();
    writeFileSync(join(folder.path, 'parts/part.jsx'), part('Good morning'));
    await frame().getByText('Good morning Ada').waitFor();
    writeFileSync(join(folder.path, 'parts/part.jsx'), 'export const Part = <b>;');
    await page.getByRole('alert').getByText('parts/part.jsx:1:').first().waitFor();
    writeFileSync(join(folder.path, 'parts/part.jsx'), part('Good evening'));
    await frame().getByText('Good evening Ada').waitFor();
  });

  it('has space around errors, light next to dark, and a page for any address', async () => {
    const page = await open('/#/%E0%A4%A');
    await page.getByRole('heading', { name: 'No template %E0%A4%A' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${origin}/#/welcome`);
    await view('All samples');
    const cells = page.locator('iframe');
    await cells.nth(3).waitFor();
    const boxes = await Promise.all([0, 1, 2, 3].map(async (index) => (await cells.nth(index).boundingBox())?.y));
    expect([boxes[0] === boxes[1], boxes[2] === boxes[3]]).toEqual([true, true]);

    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    writeFileSync(welcome('template.json'), '{"name": ');
    const alert = page.getByRole('alert').first();
    await alert.waitFor();
    expect((await alert.boundingBox())?.x).toBeGreaterThanOrEqual(8);
  });

  it('sends to the local server, and names the command that starts one', async () => {
    const page = await open('/#/receipt');
    const send = page.getByRole('button', { name: 'Send to the local server' });
    await page.getByLabel('To').fill('reader@example.test');
    await send.click();
    await page.getByRole('alert').getByText('No local server is running').waitFor();

    const dev = await startDev(['--data-dir', join(folder.path, '.svc')]);
    await send.click();
    const link = await page.getByRole('link', { name: 'Sent. Open it in the inbox' }).getAttribute('href');
    expect(link).toMatch(new RegExp(`^${new URL(dev.ready.base_url).origin}/inbox/emails/msg_`));
    const { stdout } = await svc(['emails', 'list', '--json'], { env: env() });
    expect(JSON.parse(stdout).emails).toMatchObject([{ to: 'reader@example.test' }]);
    await dev.stop();
  });

  it('says that its server has ended, and continues with the next', async () => {
    const page = await open('/#/welcome');
    await frame().getByText('Hello Ada').waitFor();
    const { port } = new URL(origin);
    await stopPreview();
    await page.getByText('has stopped').first().waitFor();
    child = start(['templates', 'dev', 'emails', '--print', '--port', port], { cwd: folder.path, env: env() });
    await page.getByText('has stopped').first().waitFor({ state: 'detached' });
  });
});
