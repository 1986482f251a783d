import { textPosition } from '../../../../../contract/vocabulary/helpers/text-position.js';
import {
  brokenPlaceholderAt,
  brokenPlaceholdersIn,
  placeholdersIn,
} from '../../../../../contract/vocabulary/parsers/placeholders.js';
import type { Mark } from '../../../../components/code/marks.js';
import type { Content } from '../../types.js';
import type { Sample } from '../sample/use-sample.js';

/** What is wrong, and where. */
export interface Problem {
  part: 'subject' | 'html' | 'text' | 'json';
  message: string;
  /** The part of the text to select; undefined if it is not known. */
  range: { from: number; to: number } | undefined;
  /** Returns the position, counted from 1; undefined if it is not known. Takes time that depends on the text. */
  position(): { line: number; column: number } | undefined;
}

export interface Analysis {
  /** The names of all variables, in their order. */
  variables: readonly string[];
  /** Those without a sample value. */
  missing: readonly string[];
  problems: readonly Problem[];
  marks: Record<'html' | 'text', readonly Mark[]>;
}

const PARTS = ['subject', 'html', 'text'] as const;
/** Maximum number of problems and marks of a part, so that a text full of them stays editable. */
const FOUND_MAX = 500;

/** Finds the variables of a template, and what the server refuses or leaves as it is. */
export function analyze(content: Content, { values, error }: Sample): Analysis {
  const marks: Record<(typeof PARTS)[number], Mark[]> = { subject: [], html: [], text: [] };
  const variables = new Set<string>();
  const missing = new Set<string>();
  const problems: Problem[] = [];
  for (const part of PARTS) {
    const text = content[part];
    const report = (message: string, from: number, to: number) =>
      problems.push({ part, message, range: { from, to }, position: () => textPosition(text, from) });
    for (const { name, index } of placeholdersIn(text)) {
      const to = text.indexOf('}}', index) + 2;
      const hasValue = Object.hasOwn(values, name);
      if (!hasValue && !missing.has(name)) {
        missing.add(name);
        report(`${name} has no sample value`, index, to);
      }
      variables.add(name);
      if (marks[part].length === FOUND_MAX) continue;
      const mark = { from: index, to };
      marks[part].push(
        hasValue ? { ...mark, kind: 'placeholder' } : { ...mark, kind: 'warning', title: 'No sample value' },
      );
    }
    for (const from of brokenPlaceholdersIn(text)) {
      if (marks[part].length >= FOUND_MAX) break;
      const found = brokenPlaceholderAt(text, from);
      marks[part].push({ from, to: from + found.length, kind: 'error', title: 'Not a placeholder' });
      report(`${JSON.stringify(found)} is not a placeholder, and is left as it is`, from, from + found.length);
    }
    marks[part].sort((one, other) => one.from - other.from);
  }
  if (error) problems.push(jsonProblem(error));
  return { variables: [...variables], missing: [...missing], problems: problems.slice(0, FOUND_MAX), marks };
}

function jsonProblem({ message, line, column }: NonNullable<Sample['error']>): Problem {
  const position = line === undefined || column === undefined ? undefined : { line, column };
  return { part: 'json', message, range: undefined, position: () => position };
}
