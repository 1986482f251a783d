import type { FrameHtml, FrameOptions } from '../../core/ports.js';
import { type HtmlReader, readHtml, type Tag } from '../../html/read-html.js';
import { attributesFor } from './frame-attributes.js';
import { FrameUrls } from './frame-urls.js';
import { escapeText, styleText } from './written-text.js';

/**
 * Rewrites the HTML of an email for a sandboxed frame, in linear time. Every `<` of the result begins a tag that is
 * written here: text, attribute values and style sheets contain none that a browser could read as the start of a tag.
 * So a browser finds no other tags, however it would have read the original.
 */
export function frameHtml(html: string, options: FrameOptions): FrameHtml {
  const urls = new FrameUrls(options);
  const writer = new FrameWriter(urls, options.remote);
  readHtml(html, writer);
  return { parts: writer.end(), links: urls.links, hosts: [...urls.hosts] };
}

/** Elements that are left out with their text. */
const WITH_TEXT = new Set(['script', 'title', 'iframe', 'noembed', 'noframes']);
/** Elements that are left out, but not what they contain. */
const TAG_ONLY = new Set(
  (
    'base frame frameset object embed applet param portal fencedframe noscript plaintext animate set ' +
    'animatetransform animatemotion'
  ).split(' '),
);
/** Names of `<meta>` that change how a page looks. Others may load something or lead elsewhere. */
const META_NAMES = new Set(['color-scheme', 'supported-color-schemes', 'viewport']);
/** Elements that a browser reads as text would be read again with its character references. */
const RENAMED = new Map([['xmp', 'pre']]);

const TAG_NAME = /^[a-z][\w:-]*$/;
const LINK_ATTRIBUTES = ' target="_blank" rel="noopener noreferrer"';

class FrameWriter implements HtmlReader {
  /** The HTML between the links so far. */
  readonly #parts: string[] = [];
  #part = '';
  /** Whether the text that follows is left out. */
  #isSkipping = false;
  /** The style sheet that is being read; undefined outside of one. */
  #style: string | undefined;

  constructor(
    private readonly urls: FrameUrls,
    private readonly isRemoteAllowed: boolean,
  ) {}

  doctype(name: string, publicId: string | null, systemId: string | null): void {
    if (name !== 'html') return;
    // The identifiers decide in which mode a browser lays out the page.
    const [first, second] = [publicId ?? '', systemId ?? ''].map((id) => id.replace(/["<>]/g, ''));
    this.#part += publicId === null ? '<!doctype html>' : `<!doctype html public "${first}" "${second}">`;
  }

  startTag(tag: Tag): void {
    this.#endStyle();
    const { tagName } = tag;
    this.#isSkipping = WITH_TEXT.has(tagName);
    if (!this.#isKept(tag)) return;
    const { text, hasLink } = attributesFor(tag, this.urls);
    this.#part += `<${RENAMED.get(tagName) ?? tagName}${text}`;
    if (hasLink) {
      this.#parts.push(`${this.#part} href="`);
      this.#part = `"${LINK_ATTRIBUTES}`;
    }
    this.#part += '>';
    if (tagName === 'style') this.#style = '';
  }

  endTag({ tagName }: Tag): void {
    this.#endStyle();
    this.#isSkipping = false;
    if (WITH_TEXT.has(tagName) || TAG_ONLY.has(tagName) || !TAG_NAME.test(tagName)) return;
    this.#part += `</${RENAMED.get(tagName) ?? tagName}>`;
  }

  text(text: string): void {
    if (this.#style !== undefined) this.#style += text;
    else if (!this.#isSkipping) this.#part += escapeText(text);
  }

  /** Returns the HTML around the links: one part more than there are links. */
  end(): string[] {
    this.#endStyle();
    return [...this.#parts, this.#part];
  }

  #endStyle(): void {
    if (this.#style === undefined) return;
    this.#part += styleText(this.#style, this.urls);
    this.#style = undefined;
  }

  #isKept({ tagName, attrs }: Tag): boolean {
    if (WITH_TEXT.has(tagName) || TAG_ONLY.has(tagName) || !TAG_NAME.test(tagName)) return false;
    const attribute = (wanted: string) => attrs.find(({ name }) => name === wanted)?.value.toLowerCase();
    if (tagName === 'meta') return META_NAMES.has(attribute('name')?.trim() ?? '');
    // Other relations connect to a server ahead of time, which no policy of the page prevents.
    if (tagName === 'link') return this.isRemoteAllowed && attribute('rel')?.trim() === 'stylesheet';
    return true;
  }
}
