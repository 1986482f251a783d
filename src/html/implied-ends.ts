/** Names of HTML elements by how a mail client lays them out, and of attributes. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Elements without content or an end tag. */
export const VOID = names('area base br col embed hr img input link meta source track wbr');
/** Elements whose content is not shown. */
export const UNSHOWN = names('iframe noembed noframes script style template textarea title');
/** Elements with an empty line before and after. */
export const PARAGRAPHS = names('blockquote h1 h2 h3 h4 h5 h6 hr ol p pre table ul');
/** Elements that begin and end a line. */
export const LINES = names(
  'address article aside body center dd div dt fieldset figure footer form header li main nav section tr',
);
/** Cells of a table, which are next to each other. */
export const CELLS = names('td th');
/** Attributes whose value is a URL. */
export const URL_ATTRIBUTES = names('action background href src');

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
