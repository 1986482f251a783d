import {
  brokenPlaceholderAt,
  brokenPlaceholdersIn,
  placeholdersIn,
} from '../../../../contract/vocabulary/placeholders.js';
import { textPosition } from '../../../../contract/vocabulary/text.js';
import type { Mark } from '../../../components/code/marks.js';
import type { Content } from '../drafts.js';
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
  marks: Record<'html' | 'text' | 'json', readonly Mark[]>;
}

const PARTS = ['subject', 'html', 'text'] as const;
/** Maximum number of errors and of placeholders to mark in a part, so that a text full of them stays editable. */
const FOUND_MAX = 500;

/** Finds the variables of a template, and what the server refuses or leaves as it is. */
export function analyze(content: Content, { text, values, error }: Sample): Analysis {
  const reported = new Set<string>();
  const found = PARTS.map((part) => analyzePart(part, content[part], values, reported));
  const problems = found.flatMap((each) => each.problems);
  const [, html = [], plain = []] = found.map(({ marks }) => marks);
  const variables = [...new Set(found.flatMap((each) => each.variables))];
  return {
    variables,
    missing: variables.filter((name) => !Object.hasOwn(values, name)),
    problems: error ? [jsonProblem(text, error), ...problems] : problems,
    marks: { html, text: plain, json: error?.range ? [{ ...error.range, kind: 'error' }] : [] },
  };
}

/** @param reported variables without a value that have been reported; a part adds its own */
function analyzePart(part: (typeof PARTS)[number], text: string, values: Sample['values'], reported: Set<string>) {
  const marks: Mark[] = [];
  const problems: Problem[] = [];
  const report = (message: string, { from, to }: Mark) =>
    problems.push({ part, message, range: { from, to }, position: () => textPosition(text, from) });
  for (const from of brokenPlaceholdersIn(text)) {
    if (marks.length === FOUND_MAX) break;
    const excerpt = brokenPlaceholderAt(text, from);
    const mark: Mark = { from, to: from + excerpt.length, kind: 'error', title: 'Not a placeholder' };
    marks.push(mark);
    report(`${JSON.stringify(excerpt)} is not a placeholder, and is left as it is`, mark);
  }
  const placeholders = placeholdersIn(text);
  for (const { name, index: from } of placeholders.slice(0, FOUND_MAX)) {
    const to = text.indexOf('}}', from) + 2;
    if (Object.hasOwn(values, name)) marks.push({ from, to, kind: 'placeholder' });
    else {
      const mark: Mark = { from, to, kind: 'warning', title: 'No sample value' };
      marks.push(mark);
      if (!reported.has(name)) report(`${name} has no sample value`, mark);
      reported.add(name);
    }
  }
  problems.sort((one, other) => (one.range?.from ?? 0) - (other.range?.from ?? 0));
  return { marks, problems, variables: placeholders.map(({ name }) => name) };
}

function jsonProblem(text: string, { message, range }: NonNullable<Sample['error']>): Problem {
  return { part: 'json', message, range, position: () => range && textPosition(text, range.from) };
}
