import type { FrameHtml, FrameOptions } from '../../core/ports.js';
import { type Attribute, type HtmlReader, readHtml, type Tag } from '../../html/read-html.js';
import { FrameUrls, NOTHING, withoutSpace } from './frame-urls.js';
import { escapeText, escapeValue, styleText } from './written-text.js';

/** Chooses the attributes of a tag that a frame gets. */

const NAME = /^[a-z_][\w:.-]*$/;
/** Attributes that run or load something, submit a form, or change where links lead. */
const LEFT_OUT = new Set(
  (
    'action archive attributionsrc autofocus autoplay classid codebase code crossorigin data download ' +
    'dynsrc formaction http-equiv imagesrcset integrity is lowsrc manifest nonce ping popover profile rel shadowrootmode ' +
    'srcdoc target xml:base'
  ).split(' '),
);
/** Attributes that load something. */
const RESOURCES = new Set(['src', 'poster', 'background']);
const LINK_ELEMENTS = new Set(['a', 'area']);
/** Elements that load what `href` names. */
const LOADING_ELEMENTS = new Set(['link', 'image', 'use', 'feimage']);
const REFERENCES = new Set(['href', 'xlink:href']);

/** Returns the attributes as text, and whether a link has been added to `urls` and follows. */
export function attributesFor(tag: Tag, urls: FrameUrls): { text: string; hasLink: boolean } {
  let text = tag.tagName === 'link' ? ' rel="stylesheet"' : '';
  let hasLink = false;
  for (const attribute of tag.attrs) {
    const { name, value } = attribute;
    if (!NAME.test(name) || name.startsWith('on') || LEFT_OUT.has(name)) continue;
    const kept = REFERENCES.has(name) ? reference(tag.tagName, value, urls) : valueFor(attribute, urls);
    if (kept !== undefined) text += ` ${name}="${escapeValue(kept)}"`;
    else if (LINK_ELEMENTS.has(tag.tagName) && REFERENCES.has(name) && !hasLink) hasLink = urls.addLink(value);
  }
  return { text, hasLink };
}

function valueFor({ name, value }: Attribute, urls: FrameUrls): string | undefined {
  if (name === 'style' || name === 'media') return styleText(value, urls);
  if (name === 'srcset') return srcset(value, urls);
  if (RESOURCES.has(name)) return urls.resource(value);
  // Attributes of SVG, such as `fill`, can load something too.
  return /url\(/i.test(value) ? styleText(value, urls) : value;
}

/** Returns the value of `href`, if it leads to a part of the email or to something that is loaded. */
function reference(tagName: string, value: string, urls: FrameUrls): string | undefined {
  if (withoutSpace(value).startsWith('#')) return withoutSpace(value);
  return LOADING_ELEMENTS.has(tagName) ? urls.resource(value) : undefined;
}

/** Returns a URL without the commas at its end, which separate it from the next one. */
function withoutCommas(url: string): string {
  let end = url.length;
  while (url[end - 1] === ',') end -= 1;
  return url.slice(0, end);
}

/** Returns the images of a `srcset` that may be loaded, each with its size. */
function srcset(value: string, urls: FrameUrls): string | undefined {
  const images = value.split(/,\s+/).flatMap((each) => {
    const [url = '', size = ''] = each.trim().split(/\s+/);
    const loaded = urls.resource(withoutCommas(url));
    return loaded === NOTHING ? [] : [`${loaded} ${/^[\d.]+[wx]$/.test(size) ? size : ''}`.trim()];
  });
  return images.length > 0 ? images.join(', ') : undefined;
}

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
