import { html as markup, type Token, type TokenHandler } from 'parse5';
import type { HtmlLink, HtmlLinks } from '../core/ports.js';
import { BoundedTokenizer, textModes } from './bounded-tokenizer.js';
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
  reader.tokenizer.write(html, true);
  return { links: reader.links, pixelAt: reader.bodyEnd ?? html.length, cut: reader.cut };
}

const { TAG_NAMES } = markup;

/** Reads tokens only, which with a limit on attributes takes linear time; building the tree would not. */
class LinkReader implements TokenHandler {
  readonly links: HtmlLink[] = [];
  readonly tokenizer = new BoundedTokenizer({ sourceCodeLocationInfo: true }, this);
  cut = false;
  bodyEnd: number | undefined;

  constructor(private readonly html: string) {}

  onStartTag(token: Token.TagToken): void {
    this.tokenizer.state = textModes.get(token.tagName) ?? this.tokenizer.state;
    if (token.tagName !== TAG_NAMES.A && token.tagName !== TAG_NAMES.AREA) return;
    if (token.attrs.some(({ name }) => name === UNTRACKED_ATTRIBUTE)) return;
    const href = token.attrs.find(({ name }) => name === 'href');
    const location = token.location?.attrs?.href;
    const url = href && webUrl(href.value);
    if (!url || !location) return;
    if (this.links.length === LINKS_MAX) {
      this.cut = true;
      this.tokenizer.pause();
      return;
    }
    this.links.push({ ...this.#valueRange(location), url });
  }

  onEndTag({ tagName, location }: Token.TagToken): void {
    if (tagName === TAG_NAMES.BODY) this.bodyEnd = location?.startOffset;
  }

  onCharacter(): void {}
  onNullCharacter(): void {}
  onWhitespaceCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  /** Returns the range of the value: without the attribute's name and the quotation marks. */
  #valueRange({ startOffset, endOffset }: Token.Location): { start: number; end: number } {
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
