import { html as markup, Tokenizer, TokenizerMode } from 'parse5';
import { TAG_ATTRIBUTES_MAX } from './limits.js';

/** Reads the tokens of HTML in linear time. */

/** Limits attributes: parse5's tokenizer compares each with every one before it in its tag. */
export class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const { currentToken } = this;
    if (currentToken && 'attrs' in currentToken && currentToken.attrs.length >= TAG_ATTRIBUTES_MAX) return;
    super._leaveAttrName();
  }
}

const { TAG_NAMES } = markup;

/**
 * The tokenizer state after a start tag whose text is not markup. HTML standard, section 13.2.6.2; scripts do not run
 * in mail.
 */
export const textModes = new Map<string, Tokenizer['state']>([
  [TAG_NAMES.TITLE, TokenizerMode.RCDATA],
  [TAG_NAMES.TEXTAREA, TokenizerMode.RCDATA],
  [TAG_NAMES.STYLE, TokenizerMode.RAWTEXT],
  [TAG_NAMES.XMP, TokenizerMode.RAWTEXT],
  [TAG_NAMES.IFRAME, TokenizerMode.RAWTEXT],
  [TAG_NAMES.NOEMBED, TokenizerMode.RAWTEXT],
  [TAG_NAMES.NOFRAMES, TokenizerMode.RAWTEXT],
  [TAG_NAMES.SCRIPT, TokenizerMode.SCRIPT_DATA],
  [TAG_NAMES.PLAINTEXT, TokenizerMode.PLAINTEXT],
]);
