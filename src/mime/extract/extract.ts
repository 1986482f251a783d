import type { Extracted, ExtractInput } from '../../core/ports.js';
import { findCodes } from './codes/find-codes.js';
import { readHeaders } from './headers.js';
import { readDocument } from './html-document.js';
import { findLinks } from './links/find-links.js';
import { textOf } from './shown-content.js';

/** Characters of a subject that are read. */
const SUBJECT_MAX = 1_000;

/** Finds links, codes, header fields and the shown text of a message, in time proportional to its size. */
export function extract({ subject: whole, html, text, head }: ExtractInput): Extracted {
  const subject = whole.slice(0, SUBJECT_MAX);
  const document = readDocument(html);
  const lines = text.split('\n');
  const headers = head ? readHeaders(head) : [];
  const unsubscribe = headers.filter(([name]) => name.toLowerCase() === 'list-unsubscribe').map(([, value]) => value);
  const { links, cut, failure } = findLinks({ subject, html: document, text: lines, unsubscribe });
  return {
    htmlText: textOf(document),
    links,
    codes: findCodes(subject, [document.lines, lines], document.hints),
    headers,
    cut,
    failure,
  };
}
