import { CELLS, LINES, PARAGRAPHS } from './elements.js';

/** The start tags that end an element, except inside the elements of `except`. */
interface ImpliedEnd {
  before: ReadonlySet<string>;
  except: readonly string[];
}

const impliedEnd = (before: Iterable<string>, except: readonly string[]) => ({ before: new Set(before), except });
const GROUPS = ['tbody', 'thead', 'tfoot'];
const CELL = impliedEnd([...CELLS, 'tr', ...GROUPS], ['table']);
const TERM = impliedEnd(['dt', 'dd'], ['dl']);
const GROUP = impliedEnd(GROUPS, ['table']);
/** The elements that can end without an end tag. HTML standard, section 13.1.2.4. */
export const IMPLIED_ENDS: ReadonlyMap<string, ImpliedEnd> = new Map<string, ImpliedEnd>([
  ['p', impliedEnd([...PARAGRAPHS, ...LINES], ['button'])],
  ['li', impliedEnd(['li'], ['ul', 'ol'])],
  ['dt', TERM],
  ['dd', TERM],
  ['td', CELL],
  ['th', CELL],
  ['tr', impliedEnd(['tr', ...GROUPS], ['table'])],
  ['tbody', GROUP],
  ['thead', GROUP],
  ['tfoot', GROUP],
  ['option', impliedEnd(['option'], [])],
]);
