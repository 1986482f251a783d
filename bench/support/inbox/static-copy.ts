import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { openPage } from './opened-page.js';

/** A page's HTML and style sheet without its scripts: how long the browser takes for it is a floor. */
export interface StaticCopy {
  address: string;
  close(): void;
}

/** Serves what the page at an address shows. */
export async function serveStaticCopy(browser: Browser, address: string): Promise<StaticCopy> {
  const { page, close } = await openPage(browser, address);
  const html = (await page.content()).replace(/<script[^>]*><\/script>/g, '');
  const path = await page.locator('link[rel=stylesheet]').first().getAttribute('href');
  const style = await (await fetch(new URL(path ?? '', address))).text();
  await close();
  const server = createServer((request, response) => {
    const isStyle = request.url === path;
    response.setHeader('content-type', `${isStyle ? 'text/css' : 'text/html'}; charset=utf-8`);
    response.end(isStyle ? style : html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
