import { escapeHtml } from '../../contract/vocabulary/helpers/escape-html.js';
import { removeOldPages, writePage } from '../emails/page/page-file.js';

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
