import ts from 'typescript';
import { phraseViolations, sentenceViolations } from './english-rules.js';
import { lineOf, parse, type Source, walk } from './import-graph.js';

/** Checks what the readers of the code read: comments, and the titles of tests. */

/** Names that this project once had for standard terms, and the standard term. They may be in comments and titles only. */
const PRIVATE_NAMES: [name: RegExp, instead: string][] = [
  [/\blanes?\b/i, 'worker pool'],
  [/\brush(?:es)?\b/i, 'burst, backpressure'],
  [/\bbells?\b/i, 'signal'],
  [/\b(?:lined|lining) up\b|\blines? up (?:a|an|the|what|its)\b/i, 'queue, schedule'],
  [/\bholds? up\b|\bheld up\b|\bkept waiting\b/i, 'delay, block'],
  [/\bgoes? on\b|\bwent on\b/i, 'continue'],
  [/\bis no (?:url|key|id|number|text|json|date|address|path)\b/i, 'is not a'],
  [/\bthat is none\b|\bwhat is no\b/i, 'invalid'],
];

/** Functions of tests whose first argument is a title; `check` of the contract suite has it second. */
const TITLED = /^(?:it|describe|test|check|onEvery\w*)$/;

/** Comments that are instructions to a tool. */
const DIRECTIVE = /^(?:biome-ignore|@ts-|#)/;

/**
 * Returns the violations in the comments of a source, as `file:line: what is wrong`. Comments of tests may be as short as
 * titles, so the rules for sentences do not apply to them.
 */
export function commentViolations({ file, text }: Source): string[] {
  const isOfTests = file.startsWith('test/');
  return commentsOf({ file, text }).flatMap(({ line, prose }) =>
    [...violationsIn(prose), ...(isOfTests ? [] : sentenceViolations(prose))].map((each) => `${file}:${line}: ${each}`),
  );
}

/** Returns the violations in the titles of tests in a source, as `file:line: what is wrong`. */
export function titleViolations(source: Source): string[] {
  const found: string[] = [];
  walk(parse(source), (node) => {
    const title = ts.isCallExpression(node) ? titleOf(node) : undefined;
    if (title) found.push(...violationsIn(title).map((each) => `${source.file}:${lineOf(node)}: ${each}`));
  });
  return found;
}

function violationsIn(prose: string): string[] {
  const named = PRIVATE_NAMES.flatMap(([name, instead]) => {
    const found = name.exec(prose)?.[0];
    return found === undefined ? [] : [`"${found}" in "${prose}": write ${instead}`];
  });
  return [...phraseViolations(prose), ...named];
}

/** Returns the title that a call gives to a test: `it('…')`, `it.each(rows)('…')`, `` it(`…`) ``. */
function titleOf({ expression, arguments: given }: ts.CallExpression): string | undefined {
  const [callee = ''] = expression.getText().split(/[.(]/);
  if (!TITLED.test(callee)) return undefined;
  const title = given[callee === 'check' ? 1 : 0];
  return title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)) ? title.getText() : undefined;
}

/** Returns every comment without its marks. Successive lines of `//` are one comment. */
function commentsOf(source: Source): { line: number; prose: string }[] {
  const tree = parse(source);
  const { text } = source;
  const comments: { line: number; end: number; prose: string }[] = [];
  for (const [pos, end] of commentRanges(tree)) {
    const prose = text
      .slice(pos, end)
      .replace(/^\/[/*]+|\*\/$|\n[ \t]*\*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    const before = comments.at(-1);
    if (before && text.startsWith('//', pos) && /^[ \t]*\n[ \t]*$/.test(text.slice(before.end, pos))) {
      before.prose += ` ${prose}`;
      before.end = end;
    } else {
      comments.push({ line: tree.getLineAndCharacterOfPosition(pos).line + 1, end, prose });
    }
  }
  return comments.filter(({ prose }) => !DIRECTIVE.test(prose));
}

/** Returns the position of every comment: a `//` or `/*` outside of the literals that the parser has found. */
function commentRanges(tree: ts.SourceFile): [pos: number, end: number][] {
  const outside: string[] = [];
  let at = 0;
  walk(tree, (node) => {
    if (!ts.isLiteralExpression(node) && !ts.isTemplateLiteralToken(node) && !ts.isJsxText(node)) return;
    const start = node.getStart(tree);
    outside.push(tree.text.slice(at, start), ' '.repeat(node.end - start));
    at = node.end;
  });
  const text = outside.join('') + tree.text.slice(at);
  return [...text.matchAll(/\/\/.*|\/\*[\s\S]*?\*\//g)].map(({ 0: { length }, index }) => [index, index + length]);
}
