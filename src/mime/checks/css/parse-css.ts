import type { Block, CssNode, Declaration, Rule, StyleSheet } from 'css-tree';
import parse from 'css-tree/parser';

/** Parses CSS with positions. What cannot be parsed is left out, as mail clients do. */

/** The positions of a node without any. */
export const NO_RANGE = { start: { offset: 0 }, end: { offset: 0 } };

/** Returns a style sheet; undefined if it is nested too deeply. */
export function parseStyleSheet(css: string): StyleSheet | undefined {
  return parsed(css, 'stylesheet') as StyleSheet | undefined;
}

/** Returns the declarations of a `style` attribute. */
export function parseStyle(css: string): Declaration[] {
  const list = parsed(css, 'declarationList');
  return list?.type === 'DeclarationList' ? declarationsOf(list) : [];
}

/** Returns the declarations of a rule, without those of nested rules. */
export function ruleDeclarations({ block }: Rule): Declaration[] {
  return declarationsOf(block);
}

function declarationsOf({ children }: Pick<Block, 'children'>): Declaration[] {
  return children.toArray().filter((node): node is Declaration => node.type === 'Declaration');
}

function parsed(css: string, context: string): CssNode | undefined {
  if (isNestedTooDeeply(css)) return undefined;
  try {
    return parse(css, { context, positions: true });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
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
