import { html as markup, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5';

/** More attributes are ignored: parse5's tokenizer compares each with every one before it in its tag. */
const ATTRIBUTES_MAX = 100;

/** A tokenizer that takes linear time, also for tags with many attributes. */
export class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const { currentToken } = this;
    if (currentToken && 'attrs' in currentToken && currentToken.attrs.length >= ATTRIBUTES_MAX) return;
    super._leaveAttrName();
  }
}

const { TAG_NAMES: TAG } = markup;

/** Elements whose content is text, with the tokenizer's state for it. */
const TEXT_MODES = new Map<string, Tokenizer['state']>([
  [TAG.TITLE, TokenizerMode.RCDATA],
  [TAG.TEXTAREA, TokenizerMode.RCDATA],
  [TAG.STYLE, TokenizerMode.RAWTEXT],
  [TAG.XMP, TokenizerMode.RAWTEXT],
  [TAG.IFRAME, TokenizerMode.RAWTEXT],
  [TAG.NOEMBED, TokenizerMode.RAWTEXT],
  [TAG.NOFRAMES, TokenizerMode.RAWTEXT],
  [TAG.SCRIPT, TokenizerMode.SCRIPT_DATA],
]);

/** Receives the parts of an HTML text in their order. */
export interface HtmlReader {
  startTag(name: string, attributes: readonly Token.Attribute[]): void;
  endTag(name: string): void;
  /** Called with each run of text, which can be part of a longer one. */
  text(text: string): void;
  comment?(text: string): void;
  doctype?(name: string): void;
}

/** Reads the tokens of an HTML text, which takes linear time; building its tree would not. */
export function readHtml(html: string, reader: HtmlReader): void {
  const text = ({ chars }: Token.CharacterToken) => reader.text(chars);
  const handler: TokenHandler = {
    onStartTag({ tagName, attrs }) {
      tokenizer.state = TEXT_MODES.get(tagName) ?? tokenizer.state;
      reader.startTag(tagName, attrs);
    },
    onEndTag: ({ tagName }) => reader.endTag(tagName),
    onCharacter: text,
    onWhitespaceCharacter: text,
    onNullCharacter() {},
    onComment: ({ data }) => reader.comment?.(data),
    onDoctype: ({ name }) => reader.doctype?.(name ?? ''),
    onEof() {},
  };
  const tokenizer = new BoundedTokenizer({}, handler);
  tokenizer.write(html, true);
}

/** Elements without an end tag. */
export const VOID = new Set<string>([
  TAG.IMG,
  TAG.BR,
  TAG.HR,
  TAG.INPUT,
  TAG.META,
  TAG.LINK,
  TAG.AREA,
  TAG.COL,
  TAG.WBR,
  TAG.BASE,
  TAG.EMBED,
  TAG.SOURCE,
  TAG.TRACK,
]);
