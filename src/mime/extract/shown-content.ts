import type { ShownContent } from '../../core/model/search.js';
import { readHeaders } from './headers.js';
import { type HtmlDocument, readDocument } from './html-document.js';

/** Returns the HTML of an email as text, and the fields of a received message's header. */
export function shownContent(html: string, head: Uint8Array | null): ShownContent {
  return { htmlText: textOf(readDocument(html)), headers: head ? readHeaders(head) : [] };
}

/** Returns what a mail client shows, with a space between the cells of a table. */
export function textOf({ lines }: Pick<HtmlDocument, 'lines'>): string {
  return lines.map((line) => line.replaceAll('\t', ' ')).join('\n');
}
