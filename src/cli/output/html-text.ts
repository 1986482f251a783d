import { html as markup, type Token, type TokenHandler, type Tokenizer, TokenizerMode } from 'parse5';
import { BoundedTokenizer } from '../../client/checks/html-tokens.js';

/**
 * Converts HTML to text for a terminal: paragraphs, lists and rows of tables on lines of their own, without styles and
 * hidden parts. Reads tokens only, which takes linear time, because the HTML can come from anyone.
 */
export function htmlText(html: string): string {
  const reader = new TextReader();
  reader.tokenizer.write(html, true);
  return reader.text;
}

const { TAG_NAMES: TAG } = markup;

/** Elements whose content is not shown, and the tokenizer's state for content that is not markup. */
const HIDDEN = new Map<string, Tokenizer['state'] | undefined>([
  [TAG.TITLE, TokenizerMode.RCDATA],
  [TAG.TEXTAREA, TokenizerMode.RCDATA],
  [TAG.STYLE, TokenizerMode.RAWTEXT],
  [TAG.IFRAME, TokenizerMode.RAWTEXT],
  [TAG.SCRIPT, TokenizerMode.SCRIPT_DATA],
  [TAG.TEMPLATE, undefined],
]);
/** Elements with an empty line before and after. */
const PARAGRAPHS = new Set<string>([
  TAG.P,
  TAG.H1,
  TAG.H2,
  TAG.H3,
  TAG.H4,
  TAG.H5,
  TAG.H6,
  TAG.UL,
  TAG.OL,
  TAG.TABLE,
  TAG.BLOCKQUOTE,
  TAG.PRE,
  TAG.HR,
]);
/** Elements that begin and end a line. */
const LINES = new Set<string>([
  TAG.DIV,
  TAG.TR,
  TAG.LI,
  TAG.BR,
  TAG.SECTION,
  TAG.ARTICLE,
  TAG.HEADER,
  TAG.FOOTER,
  TAG.DD,
  TAG.DT,
  TAG.BODY,
]);
const CELLS = new Set<string>([TAG.TD, TAG.TH]);
const CELL_GAP = '   ';
const BULLET = '- ';
const HIDING_STYLE = /display\s*:\s*none/i;
/** Characters that take no space; templates fill the preview line of inboxes with them. */
const INVISIBLE = /\u034f|[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const VOID = new Set<string>([TAG.IMG, TAG.BR, TAG.HR, TAG.INPUT, TAG.META, TAG.LINK, TAG.AREA, TAG.COL, TAG.WBR]);

/** Start tags that end an element whose end tag is optional, except inside these elements. */
interface ImpliedEnd {
  before: ReadonlySet<string>;
  except: readonly string[];
}

const GROUPS = [TAG.TBODY, TAG.THEAD, TAG.TFOOT];
const ROWS = [TAG.TR, ...GROUPS];
const impliedEnd = (before: readonly string[], except: readonly string[]) => ({ before: new Set(before), except });
const CELL = impliedEnd([TAG.TD, TAG.TH, ...ROWS], [TAG.TABLE]);
const TERM = impliedEnd([TAG.DT, TAG.DD], [TAG.DL]);
const GROUP = impliedEnd(GROUPS, [TAG.TABLE]);
const BLOCKS = [...PARAGRAPHS, ...LINES].filter((name) => name !== TAG.BR);
const IMPLIED_ENDS = new Map<string, ImpliedEnd>([
  [TAG.P, impliedEnd(BLOCKS, [TAG.BUTTON])],
  [TAG.LI, impliedEnd([TAG.LI], [TAG.UL, TAG.OL])],
  [TAG.DT, TERM],
  [TAG.DD, TERM],
  [TAG.TD, CELL],
  [TAG.TH, CELL],
  [TAG.TR, impliedEnd(ROWS, [TAG.TABLE])],
  [TAG.TBODY, GROUP],
  [TAG.THEAD, GROUP],
  [TAG.TFOOT, GROUP],
]);

/** Counts the open elements of each name. */
class OpenElements {
  readonly #counts = new Map<string, number>();

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  open(name: string): void {
    if (!VOID.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  close(name: string): void {
    if (this.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) - 1);
  }
}

class TextReader implements TokenHandler {
  readonly tokenizer = new BoundedTokenizer({}, this);
  readonly #parts: string[] = [];
  /** The separator that the next text needs: line breaks, or else a space. */
  #breaks = 0;
  #space = '';
  readonly #open = new OpenElements();
  /** The element whose content is hidden, and the elements in it. */
  #hidden: { name: string; inside: OpenElements } | undefined;

  get text(): string {
    return this.#parts.join('');
  }

  onStartTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    this.tokenizer.state = HIDDEN.get(tagName) ?? this.tokenizer.state;
    if (this.#endsBefore(tagName)) this.#hidden = undefined;
    if (this.#hidden) {
      this.#hidden.inside.open(tagName);
      return;
    }
    const styled = attrs.some(({ name, value }) => name === 'hidden' || (name === 'style' && HIDING_STYLE.test(value)));
    if (HIDDEN.has(tagName) || (styled && !selfClosing && !VOID.has(tagName))) {
      this.#hidden = { name: tagName, inside: new OpenElements() };
      return;
    }
    this.#open.open(tagName);
    this.#separate(tagName);
    if (tagName === TAG.LI) this.#append(BULLET);
    if (tagName === TAG.IMG) this.#words(attrs.find(({ name }) => name === 'alt')?.value ?? '');
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (this.#hidden?.inside.has(tagName)) {
      this.#hidden.inside.close(tagName);
      return;
    }
    if (this.#hidden?.name === tagName) {
      this.#hidden = undefined;
      return;
    }
    // The end of an element ends the hidden one in it.
    if (this.#open.has(tagName)) this.#hidden = undefined;
    if (this.#hidden) return;
    this.#open.close(tagName);
    this.#separate(tagName);
  }

  /** Returns whether a start tag ends the hidden element, which then has no end tag. */
  #endsBefore(tagName: string): boolean {
    const implied = this.#hidden && IMPLIED_ENDS.get(this.#hidden.name);
    if (!implied?.before.has(tagName)) return false;
    return !implied.except.some((name) => this.#hidden?.inside.has(name));
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (!this.#hidden) this.#words(chars);
  }

  onWhitespaceCharacter(): void {
    this.#space ||= ' ';
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}

  #separate(tagName: string): void {
    if (PARAGRAPHS.has(tagName)) this.#breaks = 2;
    else if (tagName === TAG.BR) this.#breaks = Math.min(2, this.#breaks + 1);
    else if (LINES.has(tagName)) this.#breaks = Math.max(1, this.#breaks);
    else if (CELLS.has(tagName)) this.#space = CELL_GAP;
  }

  #words(text: string): void {
    const visible = text.replace(INVISIBLE, '');
    const words = visible.trim();
    if (words.length < visible.length && /^\s/.test(visible)) this.#space ||= ' ';
    if (words === '') return;
    this.#append(words.replace(/\s+/g, ' '));
    if (/\s$/.test(visible.slice(-1))) this.#space ||= ' ';
  }

  #append(text: string): void {
    const last = this.#parts.at(-1);
    if (this.#breaks > 0 && last !== undefined) this.#parts.push('\n'.repeat(this.#breaks));
    else if (last !== undefined && last !== BULLET) this.#parts.push(this.#space);
    this.#parts.push(text);
    this.#breaks = 0;
    this.#space = '';
  }
}
