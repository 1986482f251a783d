import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlRoutes, type Route, routes } from '../../src/contract/vocabulary/routes.js';
import { type DevServer, startDev, svc, temporaryDirectory } from '../support/cli/binary.js';
import { deliver } from '../support/mail/smtp-session.js';
import { type ScriptedServer, startScripted } from '../support/servers/scripted-server.js';
import { bytes, data, parsed, request } from '../support/servers/server-calls.js';

/** Tests advisories of other mail catchers against svc: with a browser, an email, or any client of a port. */

const folder = temporaryDirectory();
const dataDir = join(folder.path, 'data');
let dev: DevServer;
let trap: ScriptedServer;
beforeAll(async () => {
  dev = await startDev(['--data-dir', dataDir, '--plan', 'none'], { cwd: folder.path });
  trap = await startScripted([(response) => response.end('body{}')]);
});
afterAll(async () => {
  await dev.stop();
  await trap.close();
  folder.remove();
});

async function received(message: string): Promise<string> {
  const reply = await deliver(dev.ready.smtp, message);
  const id = /queued as (msg_\w+)/.exec(reply ?? '')?.[1] ?? `not accepted: ${reply}`;
  await parsed(dev.ready, id);
  return id;
}

/**
 * Sends a request with any header and path, as a browser's page or a script may. Returns the status, also that of an
 * upgrade, and reads no body: that of a stream has no end.
 */
function raw(
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  const { hostname, port } = new URL(dev.ready.base_url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, path, method, headers }, (response) => {
      const { statusCode: status = 0, headers } = response;
      response.destroy();
      resolve({ status, headers });
    });
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    sent.on('error', reject);
    sent.end();
  });
}

const every = [
  ...Object.values<Route>(routes).map((route) => ({ ...route, path: `/v1${route.path}` })),
  ...Object.values<Route>(controlRoutes).map((route) => ({ ...route, path: `/_svc${route.path}` })),
];
const filled = (path: string, id: string) => path.replace('{index}', '0').replace(/\{\w+\}/g, id);

describe('requests that an email or a caller makes the server send (Mailpit CVE-2026-21859, -23845, -27808)', () => {
  const loads = (url: string) =>
    [
      `<link rel=stylesheet href="${url}/css"><style>@import url("${url}/import"); p{background:url(${url}/bg)}</style>`,
      `<img src="${url}/img"><a href="${url}/link">x</a><iframe src="${url}/frame"></iframe><script src="${url}/js"></script>`,
      `<object data="${url}/object"></object><video poster="${url}/poster" src="${url}/video"></video>`,
    ].join('');

  it('are sent by no route: an email is read, inspected and rendered without what it links to', async () => {
    const url = new URL(trap.baseUrl).origin;
    const id = await received(`Subject: x\r\nContent-Type: text/html\r\n\r\n${loads(url)}\r\n`);
    const template = { name: 'loads', subject: 'x', html: loads(url) };
    const headers = { 'content-type': 'application/json' };
    const { id: templateId } = await data(dev.ready, '/v1/templates', {
      method: 'POST',
      headers,
      body: JSON.stringify(template),
    });
    await data(dev.ready, `/v1/templates/${templateId}/render`, { method: 'POST', headers, body: '{"variables":{}}' });

    // Streams stay open, so the head of the response is enough.
    const authorization = `Bearer ${dev.ready.api_key}`;
    for (const { path } of every.filter(({ method, path }) => method === 'GET' && path !== '/_svc/export')) {
      for (const query of ['', `?url=${url}&u=${url}&src=${url}&href=${url}`]) {
        await raw(filled(path, id) + query, { headers: { authorization } });
      }
    }
    for (const outcome of ['opened', 'clicked'])
      await svc(['emails', 'simulate', id, outcome], { env: { SVC_DATA_DIR: dataDir } });

    expect(trap.asked).toEqual([]);
  });

  it.each([
    '/proxy?url=TRAP',
    '/api/v1/message/ID/link-check',
    '/api/v1/message/ID/html-check',
    '/screenshot?url=TRAP',
    '/_svc/proxy?url=TRAP',
    '/_svc/emails/ID/link-check',
    '/_svc/emails/ID/html-check',
    '/view/ID.html',
  ])('are not possible at %s', async (path) => {
    const address = path.replace('TRAP', encodeURIComponent(trap.baseUrl)).replace('ID', `msg_${'0'.repeat(26)}`);
    for (const headers of [{}, { authorization: `Bearer ${dev.ready.api_key}` }]) {
      expect([401, 404]).toContain((await raw(address, { headers })).status);
    }
    expect(trap.asked).toEqual([]);
  });

  it('are refused to a client without a key: no route but health answers', async () => {
    const open: string[] = [];
    for (const { method, path } of every) {
      const { status } = await raw(filled(path, 'x'), { method });
      if (status !== 401) open.push(`${method} ${path} ${status}`);
    }
    expect(open).toEqual(['GET /_svc/health 200']);
  });
});

describe('an email that a page of another origin reads (Mailpit CVE-2026-22689, and by an encoded path CVE-2026-67448)', () => {
  const STREAMS = ['/_svc/events', '/_svc/requests/stream', '/_svc/deliveries/stream', '/_svc/listen'];
  const ENCODED = [
    '/%5fsvc/events',
    '/%5Fsvc/%65vents',
    '/_svc/%65vents',
    '/_sv%63/listen',
    '//_svc/events',
    '/_svc//events',
  ];
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
  };

  it.each([...STREAMS, ...ENCODED, '/api/events', '/%61pi/events'])('is not readable at %s', async (path) => {
    const authorization = `Bearer ${dev.ready.api_key}`;
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1']) {
      expect((await raw(path, { headers: { authorization, origin } })).status).toBe(403);
      expect((await raw(path, { headers: { ...upgrade, authorization, origin } })).status).toBe(403);
    }
    expect((await raw(path, { headers: { authorization, host: 'evil.example' } })).status).toBe(403);
    expect([401, 404]).toContain((await raw(path)).status);
    expect((await raw(path, { headers: upgrade })).status).not.toBe(101);
  });

  it('has no header that lets a page read a response', async () => {
    for (const path of ['/_svc/health', '/v1/emails', '/docs']) {
      const { headers } = await raw(path, { headers: { origin: 'https://evil.example' } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('bodies without a limit (Mailpit CVE-2026-45710, and in the routes next to it CVE-2026-48824)', () => {
  it('are refused by every route that accepts one, before they are read', async () => {
    const { hostname, port, host } = new URL(dev.ready.base_url);
    const taken: string[] = [];
    for (const { method, path, accepts = 'application/json' } of every) {
      if (method === 'GET' || path === '/_svc/import') continue;
      const socket = connect(Number(port), hostname);
      socket.write(
        [
          `${method} ${filled(path, 'x')} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${dev.ready.api_key}`,
          `Content-Type: ${accepts}\r\nContent-Length: ${41 * 1024 * 1024}\r\n\r\n`,
        ].join('\r\n'),
      );
      const answer = String(await once(socket, 'data'));
      socket.destroy();
      if (!/^HTTP\/1.1 400 .*larger than (40|20|4) MiB/s.test(answer)) taken.push(`${method} ${path} ${answer}`);
    }
    expect(taken).toEqual([]);
  });
});

describe('an image that is small in an email and huge in memory (Mailpit CVE-2026-67446)', () => {
  it('is passed on unchanged, by a server that never decodes one', async () => {
    const png = Buffer.alloc(33);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(png);
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    const head = 'Subject: x\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=a.png\r\n';
    const id = await received(`${head}Content-Transfer-Encoding: base64\r\n\r\n${png.toString('base64')}\r\n`);

    await whenParsed(`/_svc/emails/${id}/attachments/0`);
    expect(await bytes(dev.ready, `/_svc/emails/${id}/attachments/0`)).toEqual(png);
    for (const path of ['thumb', 'attachments/0/thumb', 'attachments/0?width=180&height=120']) {
      const response = await request(dev.ready, `/_svc/emails/${id}/${path}`);
      if (response.status === 200) expect(Buffer.from(await response.arrayBuffer())).toEqual(png);
      else expect(response.status).toBeGreaterThanOrEqual(400);
    }
  });
});

const HOSTILE_NAMES = [
  '../../evil.js',
  '/tmp/svc-evil',
  '..\\..\\evil',
  'routes.js',
  '.bashrc',
  'a/b/c',
  '%2e%2e%2fevil',
  '\u202egnp.exe',
];

function withAttachments(names: string[], type: string): string {
  const parts = names.map((name) =>
    [
      `--b\r\nContent-Type: ${type}`,
      `Content-ID: <${name}>`,
      `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(name)}`,
      '',
      '<script>parent.postMessage(document.cookie)</script>',
    ].join('\r\n'),
  );
  return `Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n${parts.join('\r\n')}\r\n--b--\r\n`;
}

describe('attachments that are written to the path in their names (maildev CVE-2024-27448)', () => {
  it('write nothing when they arrive, and are saved under names of svc’s own', async () => {
    const before = readdirSync(folder.path, { recursive: true }).toSorted();
    const id = await received(withAttachments(HOSTILE_NAMES, 'application/javascript'));
    await data(dev.ready, `/_svc/emails/${id}`);
    expect(readdirSync(folder.path, { recursive: true }).toSorted()).toEqual(before);

    const target = join(folder.path, 'saved');
    const { code } = await svc(['emails', 'get', id, '--save', target], {
      env: { SVC_DATA_DIR: dataDir },
      cwd: folder.path,
    });

    expect(code).toBe(0);
    const saved = readdirSync(target, { withFileTypes: true });
    // The attachments, the message, and the page that shows it.
    expect(saved).toHaveLength(HOSTILE_NAMES.length + 2);
    for (const entry of saved) {
      expect(entry.isFile()).toBe(true);
      expect(entry.name).toMatch(/^[\w][\w.-]*$/);
    }
    expect(readdirSync(folder.path).toSorted()).toEqual(['data', 'saved']);
  });
});

describe('a message with countless parts (maildev issue 531)', () => {
  it('is kept and listed, and others are answered', async () => {
    const parts = '--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(200_000);
    const id = await received(`Subject: fan-out\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`);

    expect((await request(dev.ready, '/_svc/health')).status).toBe(200);
    const { emails } = await data(dev.ready, '/v1/emails?limit=1');
    expect(emails[0].id).toBe(id);
    expect((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).length).toBeGreaterThan(parts.length);
  });
});

describe('an attachment that is a web page (MailHog CVE-2022-50908)', () => {
  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', 'application/pdf'])(
    'of type %s is a download in a browser, under a name of svc’s own',
    async (type) => {
      const id = await received(withAttachments(['"><script>alert(1)</script>.html'], type));
      for (const path of ['attachments/0', 'raw', 'delivered']) {
        const { headers, status } = await whenParsed(`/_svc/emails/${id}/${path}`);

        expect(status).toBe(200);
        expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/);
        expect(headers.get('x-content-type-options')).toBe('nosniff');
      }
      expect((await request(dev.ready, `/_svc/emails/${id}/attachments/0`)).status).toBe(200);
      // A page cannot send the key, and sees nothing without one.
      expect((await raw(`/_svc/emails/${id}/attachments/0`)).status).toBe(401);
    },
  );
});

/** Requests a part of a message until the message has been parsed and delivered, at most 500 times. */
async function whenParsed(path: string, left = 500): Promise<Response> {
  const response = await request(dev.ready, path);
  return response.status === 404 && left > 0 ? whenParsed(path, left - 1) : response;
}
