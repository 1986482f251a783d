/** Types of css-tree's modules. Its main module reads files when it is loaded, which a bundle does not have. */

declare module 'css-tree/parser' {
  import { type CssNode, parse as parseCss } from 'css-tree';

  /** The parser's state, which css-tree keeps for the next text. Contexts are called on it. */
  export interface Parser {
    /** The types and ends of tokens. Longer than the text has tokens. */
    offsetAndType: Uint32Array;
    tokenCount: number;
    /** Throws a syntax error, which the parser catches where it can skip a part of the text. */
    error(message?: string, offset?: number): never;
    StyleSheet(): CssNode;
    DeclarationList(): CssNode;
  }

  const parse: typeof parseCss & {
    /** What the option `context` names. */
    config: { context: Record<string, (this: Parser) => CssNode> };
  };
  export default parse;
}

declare module 'css-tree/walker' {
  export { walk as default } from 'css-tree';
}
