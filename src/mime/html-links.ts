import type { HtmlLink, HtmlLinks } from '../core/ports.js';
import { type HtmlReader, type Location, readHtml, type Tag } from '../html/read-html.js';
import { LINKS_MAX, URL_MAX } from './limits.js';

/** With this attribute an author excludes a link from tracking: an unsubscribe link, for example. */
const UNTRACKED_ATTRIBUTE = 'data-svc-no-track';

/**
 * Finds the links of an HTML text that lead to the web, in order, and the position for a pixel. Only what a mail
 * client shows as a link counts: nothing in comments, scripts, styles or text fields. After LINKS_MAX links, it stops
 * reading.
 */
export function findHtmlLinks(html: string): HtmlLinks {
  const reader = new LinkReader(html);
  readHtml(html, reader, { offsets: true });
  return { links: reader.links, pixelAt: reader.bodyEnd ?? html.length, cut: reader.isDone };
}

class LinkReader implements HtmlReader {
  readonly links: HtmlLink[] = [];
  /** Whether the HTML has more links than the limit. */
  isDone = false;
  bodyEnd: number | undefined;

  constructor(private readonly html: string) {}

  startTag({ tagName, attrs, location: tagLocation }: Tag): void {
    if (tagName !== 'a' && tagName !== 'area') return;
    if (attrs.some(({ name }) => name === UNTRACKED_ATTRIBUTE)) return;
    const href = attrs.find(({ name }) => name === 'href');
    const location = tagLocation?.attrs?.href;
    const url = href && webUrl(href.value);
    if (!url || !location) return;
    if (this.links.length === LINKS_MAX) {
      this.isDone = true;
      return;
    }
    this.links.push({ ...this.#valueRange(location), url });
  }

  endTag({ tagName, location }: Tag): void {
    if (tagName === 'body') this.bodyEnd = location?.startOffset;
  }

  /** Returns the range of the value: without the attribute's name and the quotation marks. */
  #valueRange({ startOffset, endOffset }: Location): { start: number; end: number } {
    const attribute = this.html.slice(startOffset, endOffset);
    const [before = '', quote = ''] = /^[^=]*=[\t\n\f\r ]*(["']?)/.exec(attribute) ?? [];
    return { start: startOffset + before.length, end: endOffset - quote.length };
  }
}

/**
 * Returns the URL of a link to the web, without the characters that a browser removes before it parses one (URL
 * standard, section 4.4).
 */
export function webUrl(href: string): string | undefined {
  let start = 0;
  let end = href.length;
  while (start < end && href.charCodeAt(start) <= SPACE) start += 1;
  while (end > start && href.charCodeAt(end - 1) <= SPACE) end -= 1;
  const url = href.slice(start, end).replace(/[\t\n\r]/g, '');
  return url.length <= URL_MAX && /^https?:/i.test(url) && URL.canParse(url) ? url : undefined;
}

const SPACE = 0x20;
