import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InboxServer, launchBrowser, openContext, startInbox, withoutBrowser } from '../support/web/browser.js';

/** Tests that the page shows what changes after a view is drawn, but before React runs the view's effects. */

declare global {
  interface Window {
    /** Whether the deferred response has arrived. */
    isHeld?: boolean;
  }
}

let browser: Browser;
let server: InboxServer;

/** Opens a blank page that gets the first part of a response in the microtask after a text is drawn. */
async function openBlank(path: string, text: string) {
  const context = await openContext(browser);
  const page = await context.newPage();
  await page.addInitScript(holdUntilDrawn, { path, text });
  return { page, close: () => context.close() };
}

/** Runs in the page before its scripts. */
function holdUntilDrawn({ path, text }: { path: string; text: string }): void {
  const drawn = new Promise<void>((resolve) => {
    const observer = new MutationObserver(() => {
      if (!document.body?.textContent.includes(text)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  });
  const send = window.fetch;
  window.fetch = async (input, init) => {
    const response = await send(input, init);
    if (new URL(String(input)).pathname !== path) return response;
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const first = await reader.read();
    window.isHeld = true;
    await drawn;
    let isFirst = true;
    const read = () => {
      const next = isFirst ? Promise.resolve(first) : reader.read();
      isFirst = false;
      return next;
    };
    const content = new TextDecoder().decode(first.value);
    const held = {
      ok: response.ok,
      status: response.status,
      headers: response.headers,
      body: { getReader: () => ({ read, cancel: () => reader.cancel() }) },
      text: async () => content,
      json: async () => JSON.parse(content),
      clone: () => held,
    };
    return held as unknown as Response;
  };
}

const isHeld = (page: Page) => page.waitForFunction(() => window.isHeld);

describe.skipIf(withoutBrowser)(`a change between drawing and effects${withoutBrowser}`, () => {
  beforeAll(async () => {
    [browser, server] = await Promise.all([launchBrowser(), startInbox()]);
    await server.send({ subject: 'Welcome' });
  });
  afterAll(async () => {
    await browser.close();
    await server.closeClean();
  });

  it('shows the list when the session opens', async () => {
    const { page, close } = await openBlank('/_svc/inbox/session', 'Connecting…');

    await page.goto(server.origin);

    await page.getByRole('link', { name: /Welcome/ }).waitFor();
    await close();
  });

  it('loads a missing part when the page connects again', async () => {
    const { page, close } = await openBlank('/_svc/events', 'This part of the page cannot be loaded');
    await page.route('**/rules-page-*.js', (route) => route.abort(), { times: 1 });
    await page.goto(server.origin);
    await isHeld(page);

    await page.getByRole('link', { name: 'Rules' }).click();

    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
    expect(await page.getByText('This part of the page cannot be loaded').count()).toBe(0);
    await close();
  });
});
