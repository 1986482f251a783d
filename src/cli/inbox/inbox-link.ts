import type { Client } from '../../client/client.js';
import { inboxUrl } from '../../contract/vocabulary/inbox.js';
import { siteOf } from '../../contract/vocabulary/routes.js';
import { escapeHtml } from '../../contract/vocabulary/text.js';
import { removeOldPages, writePage } from '../emails/page/page-file.js';
import { openInBrowser } from '../process/open-browser.js';

/** The address of a page of the web inbox. */
export interface InboxLink {
  /** Opens the page in a browser of the user who runs the server. */
  url: string;
  /** Opens it in any browser, once and for five minutes. */
  link: string;
  /** Whether that browser needs the link too. */
  required: boolean;
}

/**
 * Returns the address of a page. @param path the page, such as `/emails/msg_…`; empty for the first one
 * @throws NoControlError when the server has no control API.
 */
export async function inboxLink(client: Client, path = ''): Promise<InboxLink> {
  const { code, required } = await client.control('inbox.code', {});
  const site = siteOf(client.baseUrl);
  return { url: inboxUrl(site, path), link: inboxUrl(site, path, code), required };
}

/** Returns the path of an email's page. */
export function emailPath(id: string): string {
  return `/emails/${encodeURIComponent(id)}`;
}

/** The message after the address, if no browser was started. */
export const NO_BROWSER = 'No browser found. Open this address in a browser, or set BROWSER to a command.';

export interface ShownInbox {
  /** An address that can be opened: with a code unless the browser has used it. */
  url: string;
  /** Whether a browser was started. */
  opened: boolean;
}

/** Opens a page in the browser, unless its address is only to be printed. */
export async function showInbox(
  { url, link, required }: InboxLink,
  { print, env }: { print: boolean; env: NodeJS.ProcessEnv },
): Promise<ShownInbox> {
  if (print) return { url: link, opened: false };
  // Other users see the arguments of the browser, but not the file.
  const opened = await openInBrowser(required ? writeRedirect(link) : url, env);
  return { url: opened ? url : link, opened };
}

/** Writes a page that leads to an address with a one-time code. Only its owner can read it. Returns its path. */
export function writeRedirect(link: string): string {
  removeOldPages();
  return writePage(`<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${escapeHtml(link)}">
<title>svc</title>
<p><a href="${escapeHtml(link)}">Open the inbox</a></p>
`);
}
