import type { MailLink } from '../../core/model/search.js';
import type { Extracted, ExtractInput } from '../../core/ports.js';
import { LINKS_MAX } from '../limits.js';
import { findCodes } from './codes/find-codes.js';
import { readHeaders } from './headers.js';
import { type HtmlDocument, readDocument, textOf } from './html-document.js';
import { Known, kindOf, type LinkUse } from './links/link-kind.js';
import { findUrls, joinedLines } from './links/text-urls.js';

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

export interface LinkSources {
  subject: string;
  html: HtmlDocument;
  /** The plain text as lines. */
  text: readonly string[];
  /** The values of the header fields `List-Unsubscribe`. */
  unsubscribe: readonly string[];
}

interface FoundLinks {
  links: MailLink[];
  /** Whether links are missing because there are more than LINKS_MAX. */
  cut: boolean;
  /** The first error in finding the kind of a link. The other links are found nevertheless. */
  failure: string | undefined;
}

/** Lines above a link that can say what it is for. */
const LINES_BEFORE = 4;

/** Finds the links of a message, each once: those of the HTML, of the text, and of the header. */
export function findLinks({ subject, html, text, unsubscribe }: LinkSources): FoundLinks {
  const found = new Map<string, MailLink>();
  const known = new Known();
  let failure: string | undefined;
  const kindOrOther = (use: LinkUse) => {
    try {
      return kindOf(use, known);
    } catch (error) {
      failure ??= String(error);
      return 'other';
    }
  };
  const add = (link: MailLink) => {
    const known = found.get(link.href);
    if (!known) found.set(link.href, link);
    else if (known.kind === 'other') known.kind = link.kind;
    if (known && isUrl(known.text) && !isUrl(link.text)) known.text = link.text;
  };
  for (const { href, text: label, line } of html.links) {
    const use = {
      href,
      text: label,
      line: html.lines[line] ?? '',
      before: () => linesBefore(html.lines, line, subject),
    };
    add({ text: label || href, href, kind: kindOrOther(use) });
  }
  for (const lines of [html.lines, joinedLines(text)]) {
    lines.forEach((line, number) => {
      if (found.size >= LINKS_MAX || !line.includes('://')) return;
      for (const { url, start } of findUrls(line)) {
        const own = `${line.slice(Math.max(0, start - LINE_MAX), start)} ${line.slice(start + url.length, start + url.length + LINE_MAX)}`;
        add({
          text: url,
          href: url,
          kind: kindOrOther({ href: url, text: '', line: own, before: () => linesBefore(lines, number, subject) }),
        });
      }
    });
  }
  for (const value of unsubscribe) {
    for (const { url } of findUrls(value)) add({ text: url, href: url, kind: 'unsubscribe' });
  }
  return { links: [...found.values()].slice(0, LINKS_MAX), cut: html.cut || found.size > LINKS_MAX, failure };
}

const LINE_MAX = 200;

function isUrl(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

function linesBefore(lines: readonly string[], line: number, subject: string): string {
  const before = lines.slice(Math.max(0, line - LINES_BEFORE), line).filter((each) => each !== '');
  return [subject, ...before.map((each) => each.slice(-LINE_MAX))].join('\n');
}
