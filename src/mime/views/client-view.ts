import type { Colord } from 'colord';
import { clientViewNamed } from '../../contract/vocabulary/client-views.js';
import type { ClientView, ClientViewInput } from '../../core/ports.js';
import { VOID } from '../../html/implied-ends.js';
import { type HtmlReader, type Location, readHtml, type Tag } from '../../html/read-html.js';
import { readColor } from '../checks/css/colors.js';
import { appendPreview, type Element, isPreviewed, OpenElements, separatesWords } from '../checks/html/document.js';
import { Places, type Range } from '../checks/places.js';
import { ATTRIBUTE_FEATURES, elementFeatures } from '../checks/support/html-features.js';
import { escapeValue } from '../frame/written-text.js';
import { type About, type ClientRules, clientRules, IMAGES_OFF } from './client-rules.js';
import { DarkColors } from './dark-colors.js';
import { Differences } from './differences.js';
import {
  applyEdits,
  type Edit,
  editStyle,
  editStyleSheet,
  type Part,
  type StyleAttribute,
  type StyleContext,
  WHITE,
} from './style-view.js';

/**
 * Builds the view of an email in a mail client: the HTML as that client keeps it, and what it does differently. It reads
 * tokens and replaces ranges of the source, in linear time, so that each difference has its position in the source.
 */
export function viewAsClient({ html, subject, client, isDark, hasImages }: ClientViewInput): ClientView {
  const named = clientViewNamed(client);
  if (!named) throw new Error(`no view of ${client}`);
  const rules = clientRules[named.name];
  const differences = new Differences(new Places(html, 'html'), rules, !named.hasPicture);
  const [clip] = differences.ofKind('clip');
  const read = clip ? beginning(html, clip.bytes) : html;
  const isClipped = read.length < html.length;
  if (clip && isClipped) differences.add(clip, 'removed', { start: read.length, end: html.length });
  const [conditional] = differences.ofKind('conditional-comments');
  const source = conditional
    ? readConditionalComments(read, (range) => differences.add(conditional, 'changed', range))
    : read;
  const builder = new ViewBuilder(source, rules, differences, isDark, hasImages);
  readHtml(source, builder, { locations: true });
  const { edits, preview, closing } = builder.end();
  return {
    client: named.name,
    title: named.title,
    approximate: true,
    html: named.hasPicture ? applyEdits(source, edits) + (isClipped ? closing + CLIPPED : '') : null,
    clipped: isClipped,
    subject: cut(subject, rules.subject.characters),
    preview: cut(preview, rules.preview.characters ?? PREVIEW_MAX),
    differences: differences.list(),
  };
}

const CLIPPED =
  '<div style="padding:12px 0;font:14px sans-serif">[Message clipped]&nbsp; <u>View entire message</u></div>';
/** Characters of the text after the subject that are read. */
const PREVIEW_MAX = 300;

function cut(text: string, characters: number): string {
  const all = Array.from(text);
  return all.length <= characters ? text : `${all.slice(0, characters).join('').trimEnd()}…`;
}

/** Returns the start of the HTML with at most this number of bytes, without a part of a tag. */
function beginning(html: string, bytes: number): string {
  if (html.length <= bytes / 3 || Buffer.byteLength(html) <= bytes) return html;
  const text = Buffer.from(html.slice(0, bytes))
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd$/, '');
  const open = text.lastIndexOf('<');
  return open > text.lastIndexOf('>') ? text.slice(0, open) : text;
}

/** Elements that can be in a head. */
const OF_HEAD = new Set('base head html link meta noscript script style title'.split(' '));
/** Unsupported elements that are removed with their content. */
const WITH_CONTENT = new Set(['svg']);
/** Attributes that Outlook adds to elements whose colors it changes. */
const MARKS: Record<Part, string> = { text: ' data-ogsc', background: ' data-ogsb' };
const IMAGE_SOURCES = new Set(['src', 'srcset', 'background', 'poster']);

class ViewBuilder implements HtmlReader {
  readonly #edits: Edit[] = [];
  readonly #open = new OpenElements();
  readonly #styles = new Map<string, StyleAttribute>();
  readonly #context: StyleContext;
  /** Unsupported elements whose tags are removed. */
  readonly #unwrapped = new Set<string>();
  /** The element that is being removed with its content. */
  #removed: { name: string; start: number; depth: number } | undefined;
  #sheet: { start: number; from: number } | undefined;
  #sheetCharacters = 0;
  #isInHead = false;
  #hasBody = false;
  #preview = '';
  #isNewWord = false;

  constructor(
    private readonly source: string,
    private readonly rules: ClientRules,
    private readonly differences: Differences,
    isDark: boolean,
    private readonly hasImages: boolean,
  ) {
    const { dark } = rules;
    this.#context = { differences, dark: isDark ? new DarkColors(dark) : undefined, hasImages };
    if (isDark) this.#edits.push({ start: 0, end: 0, text: darkDefaults(dark.kind, dark.base) });
  }

  get #dark(): About {
    const { kind, text, source } = this.rules.dark;
    return { id: `dark-mode-${kind}`, text, source };
  }

  /** Returns the edits, the text at the start, and the end tags of open elements. */
  end(): { edits: Edit[]; preview: string; closing: string } {
    const { length } = this.source;
    if (this.#sheet) this.#endSheet(length, length);
    if (this.#removed) this.#edits.push({ start: this.#removed.start, end: length, text: '' });
    let closing = '';
    for (let open = this.#open.current; open; open = open.parent) closing += `</${open.name}>`;
    return { edits: this.#edits, preview: this.#preview.trim(), closing };
  }

  doctype(_name: string, _publicId: string | null, _systemId: string | null, location?: Location | null): void {
    const [first] = this.#edits;
    // The document type stays first: it decides in which mode a browser lays out the page.
    if (first?.start === 0 && first.end === 0 && location) {
      this.#edits[0] = { ...first, start: location.endOffset, end: location.endOffset };
    }
  }

  startTag(tag: Tag): void {
    const { tagName: name, attrs, selfClosing } = tag;
    const range = rangeOf(tag.location);
    if (this.#removed) {
      if (name === this.#removed.name && !selfClosing) this.#removed.depth += 1;
      return;
    }
    this.#isNewWord ||= separatesWords(name);
    this.#open.closeImplied(name);
    const element: Element = {
      name,
      attributes: new Map(attrs.map((each) => [each.name, each.value])),
      ...range,
      parent: this.#open.current,
    };
    const kept = this.#keptPart(element, selfClosing);
    if (kept === 'nothing') return;
    this.#open.open(element, selfClosing);
    if (name === 'head') this.#isInHead = true;
    if (name === 'body') this.#isInHead = false;
    if (!OF_HEAD.has(name) && !this.#isInHead) this.#hasBody = true;
    if (name === 'style') this.#sheet = { start: range.start, from: range.end };
    if (kept === 'element') this.#editAttributes(element, tag);
  }

  endTag({ tagName: name, location }: Tag): void {
    const range = rangeOf(location);
    if (this.#removed) {
      if (name !== this.#removed.name) return;
      this.#removed.depth -= 1;
      if (this.#removed.depth > 0) return;
      this.#edits.push({ start: this.#removed.start, end: range.end, text: '' });
      this.#removed = undefined;
      return;
    }
    this.#isNewWord ||= separatesWords(name);
    if (name === 'style' && this.#sheet) this.#endSheet(range.start, range.end);
    if (name === 'head') this.#isInHead = false;
    if (this.#unwrapped.has(name)) this.#edits.push({ ...range, text: '' });
    this.#open.close(name);
  }

  text(text: string): void {
    if (this.#removed || this.#sheet) return;
    if (!this.#isInHead && text.trim() !== '') this.#hasBody ||= !OF_HEAD.has(this.#open.current?.name ?? '');
    if (this.#preview.length > PREVIEW_MAX || !isPreviewed(this.#open.current)) return;
    this.#preview = appendPreview(this.#preview, text, this.#isNewWord);
    this.#isNewWord = false;
  }

  /** Returns what the client keeps of an element, and removes the rest. */
  #keptPart(element: Element, selfClosing: boolean): 'element' | 'content' | 'nothing' {
    const { name, start, end } = element;
    const range = { start, end };
    const rule = this.differences.ofKind('element').find(({ names }) => names.includes(name));
    if (rule) this.differences.addRemoved(rule, range);
    const slugs = elementFeatures(element).filter((slug) => slug.startsWith('html-') && !slug.endsWith('-links'));
    this.differences.addFeatures(slugs, range);
    if (!rule && this.differences.unsupported(slugs) === undefined) return 'element';
    this.#edits.push({ ...range, text: '' });
    if (rule?.withContent || WITH_CONTENT.has(name)) {
      if (!VOID.has(name) && !(selfClosing && name === 'svg')) this.#removed = { name, start, depth: 1 };
      return 'nothing';
    }
    if (VOID.has(name)) return 'nothing';
    this.#unwrapped.add(name);
    return 'content';
  }

  #endSheet(from: number, end: number): void {
    const sheet = this.#sheet as { start: number; from: number };
    this.#sheet = undefined;
    const whole = { start: sheet.start, end };
    const css = this.source.slice(sheet.from, from);
    const [place] = this.differences.ofKind('style-place');
    const [size] = this.differences.ofKind('style-size');
    const isMisplaced = place !== undefined && !this.#isInHead && this.#hasBody;
    if (!isMisplaced) this.#sheetCharacters += css.length;
    const removedBy = isMisplaced ? place : size && this.#sheetCharacters > size.characters ? size : undefined;
    if (removedBy) this.differences.addRemoved(removedBy, whole);
    const edits = removedBy
      ? undefined
      : editStyleSheet(css, { start: sheet.from, end: from }, this.#dark, this.#context);
    if (edits) for (const edit of edits) this.#edits.push(edit);
    else this.#edits.push({ ...whole, text: '' });
  }

  #editAttributes(element: Element, tag: Tag): void {
    const { attributes } = element;
    const darkened = new Set<Part>();
    const background = readColor(attributes.get('bgcolor') ?? '');
    for (const { name, value } of tag.attrs) {
      const range = attributeRange(tag, name);
      const slug = ATTRIBUTE_FEATURES.get(name);
      if (slug !== undefined) this.differences.addFeatures([slug], range);
      if (this.#isAttributeRemoved(element, name, value, slug, range)) this.#edits.push({ ...range, text: '' });
      else if (name === 'style') for (const part of this.#editStyle(value, background, range)) darkened.add(part);
      else if (this.#darkenAttribute(element, name, value, background, range))
        darkened.add(name === 'bgcolor' ? 'background' : 'text');
      if (name === 'class' || name === 'id') this.#prefix(name, value, range);
    }
    if (!this.rules.support.startsWith('outlook')) return;
    const at = element.start + 1 + element.name.length;
    // Styles of the email can refer to the marks.
    for (const part of darkened) this.#edits.push({ start: at, end: at, text: MARKS[part] });
  }

  #isAttributeRemoved(element: Element, name: string, value: string, slug: string | undefined, range: Range): boolean {
    if (name.startsWith('on')) {
      const [rule] = this.differences.ofKind('element').filter(({ id }) => id === 'active-content');
      if (rule) this.differences.addRemoved(rule, range);
      return rule !== undefined;
    }
    if (slug !== undefined && this.differences.unsupported([slug])) return true;
    if (name === 'href' && element.name === 'a') {
      const links = elementFeatures(element).filter((each) => each.endsWith('-links'));
      this.differences.addFeatures(links, range);
      return this.differences.unsupported(links) !== undefined;
    }
    if (!IMAGE_SOURCES.has(name) || value.trim() === '') return false;
    if (!this.hasImages) this.differences.add(IMAGES_OFF, 'removed', range);
    const formats = elementFeatures(element).filter((each) => each.startsWith('image-'));
    this.differences.addFeatures(formats, range);
    return !this.hasImages || this.differences.unsupported(formats) !== undefined;
  }

  /** Returns what dark mode changes. */
  #editStyle(value: string, background: Colord | undefined, range: Range): ReadonlySet<Part> {
    const key = `${background?.toHex() ?? ''} ${value}`;
    let changed = this.#styles.get(key);
    if (!changed) {
      changed = editStyle(value, background, this.#dark, this.#context);
      this.#styles.set(key, changed);
    }
    changed.report(range);
    if (changed.value !== value.trim()) {
      this.#edits.push({ ...range, text: changed.value === '' ? '' : `style="${escapeValue(changed.value)}"` });
    }
    return changed.darkened;
  }

  /** Returns whether dark mode changes the attribute. */
  #darkenAttribute(
    { name: tagName }: Element,
    name: string,
    value: string,
    background: Colord | undefined,
    range: Range,
  ): boolean {
    const { dark } = this.#context;
    const isText = (name === 'color' && tagName === 'font') || (name === 'text' && tagName === 'body');
    const color = dark && (name === 'bgcolor' || isText) ? readColor(value) : undefined;
    if (!dark || !color) return false;
    const [white] = this.differences.ofKind('white-in-dark');
    if (white && name === 'bgcolor' && color.toHex() === WHITE) this.differences.add(white, 'partial', range);
    const changed = name === 'bgcolor' ? dark.background(color) : dark.text(color, background);
    if (!changed) return false;
    this.#edits.push({ ...range, text: `${name}="${changed.toHex()}"` });
    this.differences.add(this.#dark, 'changed', range, `${value} becomes ${changed.toHex()}`);
    return true;
  }

  #prefix(name: string, value: string, range: Range): void {
    const [rule] = this.differences.ofKind('prefix');
    if (!rule || value.trim() === '') return;
    const words = value
      .trim()
      .split(/\s+/)
      .map((word) => rule.prefix + word);
    this.#edits.push({ ...range, text: `${name}="${escapeValue(words.join(' '))}"` });
  }
}

function rangeOf(location: Location | null | undefined): Range {
  return { start: location?.startOffset ?? 0, end: location?.endOffset ?? 0 };
}

function attributeRange({ location }: Tag, name: string): Range {
  return rangeOf((location as { attrs?: Record<string, Location> } | null)?.attrs?.[name] ?? location);
}

/** Returns the style of a page in dark mode, which every style of the email overrides. */
function darkDefaults(kind: ClientRules['dark']['kind'], base: string): string {
  if (kind === 'media') return `<style>:where(html){color-scheme:light dark}</style>`;
  if (kind === 'none')
    return '<style>:where(html){color-scheme:only light}:where(body){background:#fff;color:#000}</style>';
  return `<style>:where(html){color-scheme:dark}:where(body){background:${base};color:#fff}</style>`;
}

/** Reads conditional comments as Word does: https://www.hteumeuleu.com/2020/outlook-rendering-engine/ */

const START = /<!(?:--)?\[if /g;
const END = '<![endif]';
const COMMENT = '<!--';
/** Characters of a condition. */
const CONDITION_MAX = 200;

/**
 * Returns HTML of the same length in which the comments for Outlook are not comments, and the content that Outlook
 * leaves out is empty. `found` gets the range of each.
 */
export function readConditionalComments(html: string, found: (range: Range) => void): string {
  const parts: string[] = [];
  let at = 0;
  for (const { index: start, 0: opening } of html.matchAll(START)) {
    if (start < at) continue;
    const end = html.indexOf(END, start);
    if (end < 0) break;
    const close = start + html.slice(start, start + CONDITION_MAX).indexOf(']>');
    if (close < start || end < close) continue;
    const contentStart = close + ']>'.length;
    const after = html.indexOf('>', end + END.length - 1);
    const rangeEnd = after < 0 ? html.length : after + 1;
    found({ start, end: rangeEnd });
    const isRead = isTrue(html.slice(start + opening.length, close));
    // As in <!--<![endif]-->.
    const contentEnd = html.endsWith(COMMENT, end) ? end - COMMENT.length : end;
    const content = html.slice(contentStart, contentEnd);
    parts.push(html.slice(at, start), blank(html.slice(start, contentStart)));
    parts.push(isRead ? content : blank(content), blank(html.slice(contentEnd, rangeEnd)));
    at = rangeEnd;
  }
  return parts.join('') + html.slice(at);
}

/** A feature or a program with its version, such as `gte mso 9`. */
const TERM = /(?:\b(lte?|gte?)\s{1,9})?\b([a-z]+)\b(?:\s{1,9}(\d{1,3}(?:\.\d{1,3})?))?/gi;
const OUTLOOK_VERSION = 16;

/** Returns whether the newest Outlook, version 16 of Office, reads the content. */
function isTrue(condition: string): boolean {
  let text = condition.toLowerCase().replace(TERM, (_, operator, name, version) => isTrueOf(operator, name, version));
  text = text.replace(/\s/g, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replace(/\(([01])\)/g, '$1')
      .replace(/!([01])/g, (_, value) => (value === '1' ? '0' : '1'))
      .replace(/([01])&([01])/g, (_, one, two) => (one === '1' ? two : '0'))
      .replace(/(?<![!&])([01])\|([01])(?!&)/g, (_, one, two) => (one === '1' ? '1' : two));
  }
  return text === '1';
}

function isTrueOf(operator: string | undefined, name: string, version: string | undefined): '0' | '1' {
  const difference = version === undefined ? 0 : OUTLOOK_VERSION - Number(version);
  const isMet =
    difference === 0 ? operator !== 'lt' && operator !== 'gt' : operator?.[0] === (difference > 0 ? 'g' : 'l');
  return (name === 'mso' && isMet) || name === 'vml' ? '1' : '0';
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
