import type { ShownContent } from '../../core/model/search.js';
import { readHtml, type Tag } from '../../html/read-html.js';
import { attributeOf, ShownTextReader } from '../../html/shown-text.js';
import { webUrl } from '../html-links.js';
import { LINKS_MAX } from '../limits.js';
import { readHeaders } from './headers.js';
import { appUrl } from './links/text-urls.js';

/** A link as it is in the HTML. */
interface ShownLink {
  href: string;
  text: string;
  /** The number of the line in which it begins, from 0. */
  line: number;
}

export interface HtmlDocument {
  /** What a mail client shows. Cells of a table are separated by tabs. A paragraph is followed by an empty line. */
  lines: string[];
  links: ShownLink[];
  /** What a mail client shows elsewhere or reads aloud: the preview of the message, and labels. */
  hints: string[];
  /** Whether links are missing because the HTML has more than the limit. */
  cut: boolean;
}

/** Reads what a mail client shows of HTML, with its links. */
export function readDocument(html: string): HtmlDocument {
  const reader = new DocumentReader();
  readHtml(html, reader);
  return { lines: reader.end(), links: reader.links, hints: reader.hints, cut: reader.cut };
}

/** Letters or digits of a label or number that get a space between them. */
const LABEL_LETTERS = 3;
/** Characters of a link's text. */
const LINK_TEXT_MAX = 500;
/** Characters of hidden texts and labels. */
const HINTS_MAX = 2_000;

class DocumentReader extends ShownTextReader {
  readonly links: ShownLink[] = [];
  readonly hints: string[] = [];
  #hintsLeft = HINTS_MAX;
  cut = false;
  #link: ShownLink | undefined;
  /** The end of the last text. */
  #tail = '';
  /** Whether a tag was between the last text and the next one. */
  #crossed = false;

  protected override shownStart(tag: Tag): void {
    this.#crossed = true;
    if (tag.tagName === 'a' || tag.tagName === 'area') this.#startLink(tag);
    this.hiddenText(attributeOf(tag, 'aria-label'));
  }

  protected override shownEnd(name: string): void {
    this.#crossed = true;
    if (name === 'a') this.#link = undefined;
  }

  protected override hiddenText(text: string): void {
    const words = text.trim();
    if (words === '' || this.#hintsLeft <= 0) return;
    this.hints.push(words.slice(0, this.#hintsLeft));
    this.#hintsLeft -= words.length;
  }

  #startLink(tag: Tag): void {
    this.#link = undefined;
    const value = attributeOf(tag, 'href');
    const href = webUrl(value) ?? appUrl(value);
    if (href === undefined) return;
    this.cut = this.links.length === LINKS_MAX;
    if (this.cut) return;
    const title = attributeOf(tag, 'title') || attributeOf(tag, 'aria-label');
    const isArea = tag.tagName === 'area';
    const link = { href, text: isArea ? attributeOf(tag, 'alt') || title : '', line: this.nextLine };
    this.links.push(link);
    if (!isArea) this.#link = link;
  }

  /** Adds the text to its link. Returns a space if a style puts a label and a number side by side. */
  protected override beforeText(words: string, gap: string): string {
    this.#appendToLink(words, gap);
    const isApart = gap === '' && this.#crossed && isLabelAndNumber(this.#tail, words);
    this.#tail = words.slice(-LABEL_LETTERS);
    this.#crossed = false;
    return isApart ? ' ' : gap;
  }

  #appendToLink(words: string, gap: string): void {
    if (!this.#link || this.#link.text.length > LINK_TEXT_MAX) return;
    this.#link.text += (this.#link.text === '' || gap === '' ? '' : ' ') + words.slice(0, LINK_TEXT_MAX);
  }
}

function isLabelAndNumber(before: string, after: string): boolean {
  return (/\p{L}{3}$/u.test(before) && /^\d{3}/.test(after)) || (/\d{3}$/.test(before) && /^\p{L}{3}/u.test(after));
}

/** Returns the HTML of an email as text, and the fields of a received message's header. */
export function shownContent(html: string, head: Uint8Array | null): ShownContent {
  return { htmlText: textOf(readDocument(html)), headers: head ? readHeaders(head) : [] };
}

/** Returns what a mail client shows, with a space between the cells of a table. */
export function textOf({ lines }: Pick<HtmlDocument, 'lines'>): string {
  return lines.map((line) => line.replaceAll('\t', ' ')).join('\n');
}
