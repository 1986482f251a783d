import type { Block, CssNode, Declaration, Rule, StyleSheet } from 'css-tree';
import parse, { type Parser } from 'css-tree/parser';

/** Parses CSS with positions. What cannot be parsed is left out, as mail clients do. */

/** The positions of a node without any. */
export const NO_RANGE = { start: { offset: 0 }, end: { offset: 0 } };

/** Returns a style sheet; undefined if it is nested too deeply, too long, or has too many errors. */
export function parseStyleSheet(css: string): StyleSheet | undefined {
  return parsed(css, 'StyleSheet') as StyleSheet | undefined;
}

/** Returns the declarations of a `style` attribute. */
export function parseStyle(css: string): Declaration[] {
  const list = parsed(css, 'DeclarationList');
  return list?.type === 'DeclarationList' ? declarationsOf(list) : [];
}

/** Returns the declarations of a rule, without those of nested rules. */
export function ruleDeclarations({ block }: Rule): Declaration[] {
  return declarationsOf(block);
}

function declarationsOf({ children }: Pick<Block, 'children'>): Declaration[] {
  return children.toArray().filter((node): node is Declaration => node.type === 'Declaration');
}

/** Characters of a style sheet: css-tree stores positions in 24 bits. */
const CHARACTERS_MAX = 2 ** 24 - 1;
/** Syntax errors of a style sheet, each of which makes the parser skip a part. */
const ERRORS_MAX = 1_000;

function parsed(css: string, form: 'StyleSheet' | 'DeclarationList'): CssNode | undefined {
  if (css.length > CHARACTERS_MAX || isNestedTooDeeply(css)) return undefined;
  let errors = 0;
  const countError = () => {
    errors += 1;
    // Unlike an error of the parser, this one ends it.
    if (errors > ERRORS_MAX) throw new UnparsableCss();
  };
  // css-tree exports neither its parser nor a function that makes another, but it calls contexts on its parser.
  parse.config.context[`svc-${form}`] = function () {
    return withoutState(this, form);
  };
  try {
    return parse(css, { context: `svc-${form}`, positions: true, onParseError: countError });
  } catch (error) {
    if (error instanceof UnparsableCss) return undefined;
    throw error;
  }
}

class UnparsableCss extends Error {}

/**
 * Parses a text, and then clears its tokens. css-tree reads tokens behind those of a text, and would never end if they
 * were those of a former text.
 */
function withoutState(parser: Parser, form: 'StyleSheet' | 'DeclarationList'): CssNode {
  const unparsable = new UnparsableCss();
  // The parser's own error has an excerpt of the text, which takes time in proportion to its length.
  parser.error = () => {
    throw unparsable;
  };
  try {
    return parser[form]();
  } finally {
    parser.offsetAndType.fill(0, 0, parser.tokenCount + 1);
  }
}

/** Maximum number of open brackets. The parser and the walks over its tree are recursive. */
const NESTING_MAX = 100;

function isNestedTooDeeply(css: string): boolean {
  let depth = 0;
  for (const { 0: bracket } of css.matchAll(/[()[\]{}]/g)) {
    depth = '([{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > NESTING_MAX) return true;
  }
  return false;
}
