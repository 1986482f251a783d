import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One red pixel. */
const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Returns a message with an inline image that tries everything to reach the address or to run a script. */
export function hostileMessage(address: string): string {
  const html = `<!doctype html><html><head><base href="${address}/base/">
<meta http-equiv="refresh" content="0;url=${address}/refresh">
<style>@import "${address}/import.css"; p { background: url(${address}/style.png) }</style>
<link rel="stylesheet" href="${address}/link.css"><link rel="prefetch" href="${address}/prefetch">
<style><!--</style><LINK
rel="preconnect" href="${address}"><link/rel="preconnect" href="${address}"><!-- -->
<script src="${address}/script.js"></script><script>fetch('${address}/fetch')</script></head>
<body onload="new Image().src='${address}/onload'" background="${address}/background.png">
<p>Hello <img src="cid:logo%40shop" width="200" height="100"></p>
<img src="${address}/pixel.gif" srcset="${address}/set.png 2x"><img src="relative.png" onerror="fetch('${address}/error')">
<iframe src="${address}/frame"></iframe><iframe srcdoc="&lt;link rel=preconnect href=${address}&gt;"></iframe>
<object data="${address}/object"></object><embed src="${address}/embed">
<video src="${address}/video" poster="${address}/poster" autoplay></video>
<svg><image href="${address}/svg.png"/></svg>
<form id="f" action="${address}/form"><input autofocus onfocus="f.submit()"></form></body></html>`;
  return [
    'From: Shop <shop@example.test>',
    'To: ada@example.test',
    'Subject: "></iframe></a><script>document.title=1</script>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    '',
    html.replaceAll('\n', '\r\n'),
    '--x',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <logo@shop>',
    '',
    RED,
    '--x--',
    '',
  ].join('\r\n');
}

/** A server that no page may reach. Collects what reaches it. */
export interface WatchedServer {
  address: string;
  asked: string[];
  close(): void;
}

export async function watchedServer(): Promise<WatchedServer> {
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end();
  });
  // A connection without a request also reports that the email was opened.
  server.on('connection', () => asked.push('a connection'));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, asked, close: () => server.close() };
}
