import { atomsOf } from '../../../contract/vocabulary/query/regex-atoms.js';

/** Characters that only match themselves, and that are the same in the form in which searches compare texts. */
const PLAIN = /^[a-z0-9_@:"'=#%&,;!~<>/-]$/i;
const ESCAPED = /^\\[.\-/+*?()[\]{}|^$@:"'=#%&,;!~<>_]$/;

/**
 * Returns texts that every match of a regular expression contains, without case. Finds only simple ones, and none in
 * groups or alternatives.
 */
export function literalsOf(source: string): string[] {
  if (source.includes('|') || source.includes('\\Q') || source.includes('(?')) return [];
  const literals: string[] = [];
  let depth = 0;
  let run = '';
  // The last character could combine with the one after it in the text, such as e and an accent.
  const end = (dropped: number) => {
    literals.push(run.slice(0, Math.max(0, run.length - dropped)));
    run = '';
  };
  for (const [atom] of atomsOf(source)) {
    const character = ESCAPED.test(atom) ? atom.slice(1) : atom;
    const isPlain = depth === 0 && (ESCAPED.test(atom) || PLAIN.test(atom));
    if (isPlain) run += character;
    // A quantifier makes the character before it optional.
    else end('*?{+'.includes(atom[0] ?? ' ') ? 2 : 1);
    if (atom === '(') depth += 1;
    else if (atom === ')') depth -= 1;
  }
  end(1);
  return literals.filter((literal) => literal.length >= 3);
}
