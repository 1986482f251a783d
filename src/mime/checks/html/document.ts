import { CELLS, IMPLIED_ENDS, LINES, PARAGRAPHS, VOID } from '../../../html/implied-ends.js';
import { type HtmlReader, type Location, readHtml, type Tag } from '../../../html/read-html.js';
import type { Range } from '../places.js';

/** Deeper elements are read as children of the element at this depth. */
const DEPTH_MAX = 200;

/** The elements that are open at a position. Every operation takes constant time on average. */
export class OpenElements {
  readonly #stack: Element[] = [];
  readonly #counts = new Map<string, number>();

  get current(): Element | undefined {
    return this.#stack.at(-1);
  }

  /** Opens an element. Only in a drawing does the slash of `<path/>` close it. */
  open(element: Element, hasSlash: boolean): void {
    const isClosed = VOID.has(element.name) || (hasSlash && Boolean(this.#counts.get('svg')));
    if (isClosed || this.#stack.length === DEPTH_MAX) return;
    this.#stack.push(element);
    this.#counts.set(element.name, (this.#counts.get(element.name) ?? 0) + 1);
  }

  /** Closes the innermost element with this name, and all in it. */
  close(name: string): void {
    if (!this.#counts.get(name)) return;
    while (this.#pop() !== name);
  }

  /** Closes elements that end where this one starts. */
  closeImplied(name: string): void {
    while (this.current && IMPLIED_ENDS.get(this.current.name)?.before.has(name)) this.#pop();
  }

  #pop(): string | undefined {
    const name = this.#stack.pop()?.name;
    if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
    return name;
  }
}

/** Reads the elements and texts of an HTML text with their positions, in linear time. */

/** An element with the range of its start tag. Elements are in the order of the text. */
export interface Element extends Range {
  name: string;
  attributes: ReadonlyMap<string, string>;
  parent: Element | undefined;
}

/** A text that is not markup. */
export interface Text extends Range {
  text: string;
  parent: Element | undefined;
  /** Whether a paragraph, a cell or a line break separates it from the text before it. */
  isNewWord: boolean;
}

/** The content of a `<style>` element. */
export interface StyleSheet {
  css: string;
  start: number;
}

export interface HtmlDocument {
  html: string;
  elements: Element[];
  texts: Text[];
  styleSheets: StyleSheet[];
  comments: Range[];
  /** The position of `<!doctype html>`; undefined without one, or with another one. */
  doctype: Range | undefined;
  /** Whether elements are missing because the HTML has more than the limit. */
  cut: boolean;
}

/** Elements that are read. */
export const ELEMENTS_MAX = 50_000;

/** Reads the elements and texts of HTML. */
export function readDocument(html: string): HtmlDocument {
  const document: HtmlDocument = {
    html,
    elements: [],
    texts: [],
    styleSheets: [],
    comments: [],
    doctype: undefined,
    cut: false,
  };
  readHtml(html, new DocumentReader(document), { locations: true });
  return document;
}

class DocumentReader implements HtmlReader {
  readonly #open = new OpenElements();
  #isNewWord = false;

  constructor(private readonly document: HtmlDocument) {}

  get isDone(): boolean {
    return this.document.cut;
  }

  startTag({ tagName, attrs, selfClosing, location }: Tag): void {
    const { elements } = this.document;
    if (elements.length === ELEMENTS_MAX) {
      this.document.cut = true;
      return;
    }
    this.#isNewWord ||= separatesWords(tagName);
    this.#open.closeImplied(tagName);
    const attributes = new Map(attrs.map(({ name, value }) => [name, value]));
    const element = { name: tagName, attributes, ...rangeOf(location), parent: this.#open.current };
    elements.push(element);
    this.#open.open(element, selfClosing);
  }

  endTag({ tagName }: Tag): void {
    this.#isNewWord ||= separatesWords(tagName);
    this.#open.close(tagName);
  }

  text(text: string, location?: Location | null): void {
    const parent = this.#open.current;
    if (parent?.name === 'style') this.#addStyles(rangeOf(location));
    else this.#addText({ text, ...rangeOf(location), parent, isNewWord: this.#isNewWord });
    this.#isNewWord = false;
  }

  comment(_: string, location?: Location | null): void {
    this.document.comments.push(rangeOf(location));
  }

  doctype(name: string, publicId: string | null, _systemId: string | null, location?: Location | null): void {
    if (name === 'html' && publicId === null) this.document.doctype ??= rangeOf(location);
  }

  /** Adds a text, or appends it to the one that ends where it starts: the tokenizer separates words. */
  #addText(text: Text): void {
    const last = this.document.texts.at(-1);
    if (last?.end !== text.start) this.document.texts.push(text);
    else {
      last.text += text.text;
      last.end = text.end;
    }
  }

  /** Adds a part of a style sheet from the source: in the token, line breaks are different, which moves positions. */
  #addStyles({ start, end }: Range): void {
    const { html, styleSheets } = this.document;
    const last = styleSheets.at(-1);
    if (last && last.start + last.css.length === start) last.css += html.slice(start, end);
    else styleSheets.push({ css: html.slice(start, end), start });
  }
}

function rangeOf(location: Location | null | undefined): Range {
  return { start: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}

/** The text of an email that lists of emails show after the subject. */

const UNSHOWN = new Set(['head', 'title', 'style', 'script', 'template', 'noscript']);
/** White space and characters of no width, with which emails fill up the preheader. */
const FILLER = /(?:\u034f|[\s\u00a0\u00ad\u200b-\u200f\u2007\u2060\ufeff\u3164\uffa0])+/g;

/** Returns whether a list of emails can show the text in an element. */
export function isPreviewed(element: Element | undefined): boolean {
  return !element || !UNSHOWN.has(element.name);
}

/** Returns whether the start or the end of an element separates words. */
export function separatesWords(name: string): boolean {
  return name === 'br' || PARAGRAPHS.has(name) || LINES.has(name) || CELLS.has(name);
}

/** Returns a preview with one more text. */
export function appendPreview(preview: string, text: string, isNewWord: boolean): string {
  return `${preview}${isNewWord ? ' ' : ''}${text}`.replace(FILLER, ' ').trimStart();
}
