import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';

const CHROMIUM = 'chromium';
const withoutChromium = skippedWithout(CHROMIUM);

describe('the API reference at /docs', () => {
  let server: DevServer;
  let origin: string;

  beforeAll(async () => {
    server = await startDev(['--in-memory']);
    origin = new URL(server.ready.base_url).origin;
  });

  afterAll(() => server.stop());

  it('needs no key and refers to nothing outside this server', async () => {
    const response = await fetch(`${origin}/docs`);
    expect(response.status).toBe(200);
    const page = await response.text();
    const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(address).toMatch(/^(?:\/(?!\/)|data:,$)/);
    expect(page).not.toMatch(/<script>|style=/);
  });

  it.each(['/docs', '/docs/swagger-ui.css', '/v1/openapi.json'])('answers HEAD for %s as it does GET', async (path) => {
    const [get, head] = [await fetch(origin + path), await fetch(origin + path, { method: 'HEAD' })];

    expect(head.status).toBe(200);
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    await get.text();
  });

  it('forbids the browser every other origin, on the page and its resources', async () => {
    for (const path of [
      '/docs',
      '/docs/',
      '/docs/control',
      '/docs/start.js',
      '/docs/swagger-ui.css',
      '/docs/swagger-ui-bundle.js',
    ]) {
      const response = await fetch(origin + path);
      expect(response.status, path).toBe(200);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).not.toMatch(/https?:|\*|unsafe/);
      expect(response.headers.get('x-content-type-options'), path).toBe('nosniff');
      await response.arrayBuffer();
    }
  });

  it('answers 404 to a file that does not exist', async () => {
    const response = await fetch(`${origin}/docs/../package.json`);
    expect(response.status).toBe(404);
    expect((await fetch(`${origin}/docs/%2e%2e%2fpackage.json`)).status).toBe(404);
  });

  it.skipIf(withoutChromium).each([
    ['/docs', '/v1/openapi.json'],
    ['/docs/control', '/_svc/openapi.json'],
  ])(`shows every operation in a browser at %s, which blocks nothing${withoutChromium}`, async (page, source) => {
    const { stdout, stderr } = await promisify(execFile)(
      CHROMIUM,
      [
        '--headless=new',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--enable-logging=stderr',
        '--virtual-time-budget=20000',
        '--dump-dom',
        `${origin}${page}`,
      ],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    const document = (await (await fetch(origin + source)).json()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      webhooks?: Record<string, object>;
    };
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    for (const { operationId } of operations) expect(stdout).toContain(operationId.replaceAll('.', '\\.'));
    for (const event of Object.keys(document.webhooks ?? {})) expect(stdout).toContain(event);
    expect(stderr).not.toMatch(/Refused to|Content Security Policy|Uncaught/);
  });
});
