import ts from 'typescript';
import { phraseViolations } from './english-rules.js';
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

/** Returns the violations in the comments of a source, as `file:line: what is wrong`. */
export function commentViolations({ file, text }: Source): string[] {
  return commentsOf({ file, text }).flatMap(({ line, prose }) =>
    violationsIn(prose).map((each) => `${file}:${line}: ${each}`),
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
  const ranges = new Map<number, number>();
  const collect = (node: ts.Node) => {
    const start = node.getFullStart();
    const around = node.kind === ts.SyntaxKind.JsxText ? [] : [ts.getLeadingCommentRanges, ts.getTrailingCommentRanges];
    for (const { pos, end } of around.flatMap((rangesAt) => rangesAt(text, start) ?? [])) ranges.set(pos, end);
    for (const child of node.getChildren(tree)) collect(child);
  };
  collect(tree);
  const comments: { line: number; end: number; prose: string }[] = [];
  for (const [pos, end] of [...ranges].sort(([a], [b]) => a - b)) {
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
