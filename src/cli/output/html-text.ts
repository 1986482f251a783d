import { html as markup, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';

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
/** More attributes are ignored: parse5's tokenizer compares each with every one before it in its tag. */
const ATTRIBUTES_MAX = 100;

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const { currentToken } = this;
    if (currentToken && 'attrs' in currentToken && currentToken.attrs.length >= ATTRIBUTES_MAX) return;
    super._leaveAttrName();
  }
}

class TextReader implements TokenHandler {
  readonly tokenizer = new BoundedTokenizer({}, this);
  readonly #parts: string[] = [];
  /** The separator that the next text needs: line breaks, or else a space. */
  #breaks = 0;
  #space = '';
  /** The element whose content is hidden, and how deep elements of its name are nested in it. */
  #hidden: { name: string; depth: number } | undefined;

  get text(): string {
    return this.#parts.join('');
  }

  onStartTag({ tagName, attrs, selfClosing }: Token.TagToken): void {
    this.tokenizer.state = HIDDEN.get(tagName) ?? this.tokenizer.state;
    if (this.#hidden) {
      if (tagName === this.#hidden.name) this.#hidden.depth += 1;
      return;
    }
    const styled = attrs.some(({ name, value }) => name === 'hidden' || (name === 'style' && HIDING_STYLE.test(value)));
    if (HIDDEN.has(tagName) || (styled && !selfClosing && !VOID.has(tagName))) {
      this.#hidden = { name: tagName, depth: 1 };
      return;
    }
    this.#separate(tagName);
    if (tagName === TAG.LI) this.#append(BULLET);
    if (tagName === TAG.IMG) this.#words(attrs.find(({ name }) => name === 'alt')?.value ?? '');
  }

  onEndTag({ tagName }: Token.TagToken): void {
    if (!this.#hidden) this.#separate(tagName);
    else if (tagName === this.#hidden.name) {
      this.#hidden.depth -= 1;
      if (this.#hidden.depth === 0) this.#hidden = undefined;
    }
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

const VOID = new Set<string>([TAG.IMG, TAG.BR, TAG.HR, TAG.INPUT, TAG.META, TAG.LINK, TAG.AREA, TAG.COL, TAG.WBR]);
