import { html as markup, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';

/** Reads the tokens of HTML, which takes linear time; building its tree would not. */

export type Tag = Token.TagToken;
export type Attribute = Token.Attribute;
export type Location = Token.Location;

/** Receives the tokens of HTML in their order. */
export interface HtmlReader {
  startTag(tag: Tag): void;
  endTag?(tag: Tag): void;
  /** Called with each run of text, which can be part of a longer one. */
  text?(text: string, location?: Location | null): void;
  comment?(text: string, location?: Location | null): void;
  doctype?(name: string, publicId: string | null, systemId: string | null, location?: Location | null): void;
  /** Whether to stop reading, which is checked after each start tag. */
  readonly isDone?: boolean;
}

export interface ReadOptions {
  /** Whether tokens have their positions in the HTML: lines, columns and offsets. */
  locations?: boolean;
  /** Whether tags have their offsets, which takes less time. Lines and columns are then wrong. */
  offsets?: boolean;
}

/** Reads HTML. Attributes beyond TAG_ATTRIBUTES_MAX of a tag are ignored. */
export function readHtml(
  html: string,
  reader: HtmlReader,
  { locations = false, offsets = false }: ReadOptions = {},
): void {
  const text = ({ chars, location }: Token.CharacterToken) => reader.text?.(chars, location);
  const handler: TokenHandler = {
    onStartTag(tag) {
      tokenizer.state = TEXT_MODES.get(tag.tagName) ?? tokenizer.state;
      reader.startTag(tag);
      if (reader.isDone) tokenizer.pause();
    },
    onEndTag: (tag) => reader.endTag?.(tag),
    onCharacter: text,
    onWhitespaceCharacter: text,
    onNullCharacter() {},
    onComment: ({ data, location }) => reader.comment?.(data, location),
    onDoctype: ({ name, publicId, systemId, location }) => reader.doctype?.(name ?? '', publicId, systemId, location),
    onEof() {},
  };
  const options = { sourceCodeLocationInfo: locations || offsets };
  const tokenizer = locations ? new BoundedTokenizer(options, handler) : new FastTokenizer(options, handler);
  tokenizer.write(html, true);
}

/** Attributes of one tag. The tokenizer compares each with all before it. */
export const TAG_ATTRIBUTES_MAX = 256;

class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const { currentToken } = this;
    if (currentToken && 'attrs' in currentToken && currentToken.attrs.length >= TAG_ATTRIBUTES_MAX) return;
    super._leaveAttrName();
  }
}

/** Text without a character that has a meaning in HTML. A line break at its start may belong to the one before it. */
const TEXT = /[^<&\0\r\n][^<&\0\r]*/y;
const QUOTED = /[^"&\0\r\n][^"&\0\r]*/y;

/**
 * Reads text, styles and values of attributes as a whole instead of character by character, which takes a tenth of the
 * time. Its locations have wrong lines.
 */
class FastTokenizer extends BoundedTokenizer {
  protected override _stateData(character: number): void {
    const { state } = this;
    super._stateData(character);
    if (this.state === state) this.#readText();
  }

  protected override _stateRawtext(character: number): void {
    const { state } = this;
    super._stateRawtext(character);
    if (this.state === state) this.#readText();
  }

  protected override _stateAttributeValueDoubleQuoted(character: number): void {
    const { state } = this;
    super._stateAttributeValueDoubleQuoted(character);
    if (this.state !== state) return;
    const value = this.#next(QUOTED);
    this.currentAttr.value += value;
    this.preprocessor.pos += value.length;
  }

  #readText(): void {
    const text = this.#next(TEXT);
    if (text === '') return;
    // May drop what is before the position, and so move it.
    this._emitChars(text);
    this.preprocessor.pos += text.length;
  }

  /** Returns what an expression matches after the current character. */
  #next(expression: RegExp): string {
    const { html, pos } = this.preprocessor;
    expression.lastIndex = pos + 1;
    return expression.exec(html)?.[0] ?? '';
  }
}

const { TAG_NAMES: TAG } = markup;

/**
 * The tokenizer's state after a start tag whose text is not markup. HTML standard, section 13.2.6.2; scripts do not run
 * in mail.
 */
const TEXT_MODES = new Map<string, Tokenizer['state']>([
  [TAG.TITLE, TokenizerMode.RCDATA],
  [TAG.TEXTAREA, TokenizerMode.RCDATA],
  [TAG.STYLE, TokenizerMode.RAWTEXT],
  [TAG.XMP, TokenizerMode.RAWTEXT],
  [TAG.IFRAME, TokenizerMode.RAWTEXT],
  [TAG.NOEMBED, TokenizerMode.RAWTEXT],
  [TAG.NOFRAMES, TokenizerMode.RAWTEXT],
  [TAG.SCRIPT, TokenizerMode.SCRIPT_DATA],
  [TAG.PLAINTEXT, TokenizerMode.PLAINTEXT],
]);
