import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Browser, chromium, errors, type Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxApp, startInboxApp } from '../support/inbox/inbox-app.js';
import { EXECUTED, payloads } from '../support/inbox/payloads.js';
import { headlessPath, withoutChromium } from '../support/web/chromium-path.js';

/**
 * Opens hostile HTML in frames of the inbox's origin. The browser resolves every name of DOMAIN to a server of the test;
 * the first part of a name has the number of the payload.
 */

const DOMAIN = 'attacker.example';
/** Frames that are open at the same time. */
const BATCH = 50;
const TIME_LIMIT_MS = 900_000;

const all = payloads();
let app: InboxApp;
let listener: Server;
/** The names that were requested, and connections without a request. */
const requested: string[] = [];

beforeAll(async () => {
  app = await startInboxApp({ plan: 'none' });
  listener = createServer(listen);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
});
afterAll(async () => {
  listener.close();
  await app.closeClean();
});

const CONTROL_PAGE = `<link rel="icon" href="data:,"><img src="http://img.${DOMAIN}/x">
<script>document.documentElement.dataset.${EXECUTED} = '1'</script>`;

function listen(socket: Socket): void {
  const index = requested.push('a connection') - 1;
  socket.on('error', () => {});
  socket.once('data', (bytes) => {
    const [line = '', host = ''] = bytes.toString('latin1').split('\r\n');
    requested[index] = `${line} ${host}`;
    const body = line.startsWith('GET /control ') ? CONTROL_PAGE : '';
    const head = `Content-Type: text/html\r\nContent-Length: ${body.length}\r\nConnection: close`;
    socket.end(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
  });
}

/** Runs in the page: counts the frames that have loaded in an attribute. */
const OPEN_FRAMES = `(sources) => {
  let loaded = 0;
  for (const source of sources) {
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    frame.src = source;
    frame.addEventListener('load', () => { document.body.dataset.loaded = ++loaded; }, { once: true });
    document.body.append(frame);
  }
}`;

/** Runs in a frame. */
const LOOK = `() => ({
  executed: document.documentElement.dataset.${EXECUTED},
  links: [...document.querySelectorAll('a, area')].map(
    (link) => link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '',
  ),
  children: window.frames.length,
})`;

type Urls = { html: string; delivered: { html_remote: string }[] };

async function send(payload: string, number: number): Promise<{ id: string; urls: Urls }> {
  const html = payload.replaceAll('.HOST', `.p${number}.${DOMAIN}`).replaceAll('http://SERVER', 'http://localhost');
  const { json } = await app.call('POST', '/v1/emails', {
    to: 'ada@example.test',
    from: 'a@b.test',
    subject: 'Hi',
    html: `${html}<p>End</p>`,
  });
  const { id } = json.data;
  return { id, urls: await app.read(`/_svc/inbox/emails/${id}/urls`) };
}

/**
 * On a busy machine, a browser that has opened hundreds of frames sometimes loads no more of them, though the server has
 * answered. So each batch has a browser of its own, and a second one if frames do not load.
 */
const LOAD_LIMIT_MS = 120_000;
const ATTEMPTS = 2;

function launch(): Promise<Browser> {
  const { port } = listener.address() as AddressInfo;
  return chromium.launch({
    executablePath: headlessPath ?? '',
    args: ['--no-sandbox', `--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1:${port}`],
  });
}

/** Opens addresses in frames, as the inbox does. Returns what each did that it must not do. */
async function effectsIn(browser: Browser, paths: string[]): Promise<string[][]> {
  const page = await browser.newPage();
  await page.goto(app.origin);
  await page.evaluate(`(${OPEN_FRAMES})(${JSON.stringify(paths)})`);
  await page.locator(`[data-loaded="${paths.length}"]`).waitFor({ state: 'attached', timeout: LOAD_LIMIT_MS });
  // Once another page has loaded, the browser has started what the frames request.
  await (await browser.newPage()).goto(app.origin);
  const frames = page.mainFrame().childFrames();
  const effects = await Promise.all(paths.map((path) => effectsOf(path, frames)));
  await page.close();
  return effects;
}

/** Opens emails without remote content, which must request nothing, and then with it. Returns the effects of each. */
async function effectsOfEmails(all: Urls[], attempt = 1): Promise<string[][]> {
  const browser = await launch();
  requested.length = 0;
  try {
    const blocked = await effectsIn(
      browser,
      all.map(({ html }) => html),
    );
    expect(requested).toEqual([]);
    const remote = await effectsIn(
      browser,
      all.map(({ delivered }) => delivered[0]?.html_remote ?? ''),
    );
    return blocked.map((each, index) => [...each, ...(remote[index] ?? [])]);
  } catch (error) {
    if (!(error instanceof errors.TimeoutError) || attempt === ATTEMPTS) throw error;
    return effectsOfEmails(all, attempt + 1);
  } finally {
    await browser.close();
  }
}

interface Look {
  executed?: string;
  links: string[];
  children: number;
}

async function effectsOf(path: string, frames: Frame[]): Promise<string[]> {
  const frame = frames.find((each) => each.url() === app.origin + path);
  if (!frame) return ['the frame went elsewhere'];
  const { executed, links, children } = (await frame.evaluate(`(${LOOK})()`)) as Look;
  return [
    ...(executed === undefined ? [] : ['a script ran']),
    ...(children === 0 ? [] : ['it has a frame']),
    ...links.filter((link) => !/^(?:$|#|\/inbox\/leave\?)/.test(link)).map((link) => `it links to ${link}`),
  ];
}

describe.skipIf(withoutChromium !== '')(`hostile HTML${withoutChromium}`, () => {
  it('has at least 500 forms', () => {
    expect(all.length).toBeGreaterThan(500);
  });

  it('is noticed if it requests something or runs a script', async () => {
    const browser = await launch();
    const page = await browser.newPage();
    await page.goto(`http://page.${DOMAIN}/control`);
    expect(((await page.evaluate(`(${LOOK})()`)) as Look).executed).toBe('1');
    expect(requested.join('\n')).toContain(`GET /x HTTP/1.1 Host: img.${DOMAIN}`);
    await browser.close();
  });

  it(
    'runs no script, links nowhere, and requests nothing without remote content; records no open or click',
    async () => {
      const effects: string[] = [];
      for (let start = 0; start < all.length; start += BATCH) {
        const batch = all.slice(start, start + BATCH);
        const sent = await Promise.all(batch.map((payload, index) => send(payload, start + index)));
        const found = await effectsOfEmails(sent.map(({ urls }) => urls));
        const events = await Promise.all(sent.map(async ({ id }) => (await app.read(`/_svc/emails/${id}`)).events));
        const types = events.map((each) => each.map(({ type }: { type: string }) => type));
        for (const [index, payload] of batch.entries()) {
          const recorded = types[index].filter((type: string) => /opened|clicked/.test(type));
          effects.push(...[...(found[index] ?? []), ...recorded].map((effect) => `${effect}: ${payload}`));
        }
      }
      expect(effects).toEqual([]);
    },
    TIME_LIMIT_MS,
  );
});
