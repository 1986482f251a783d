import { ApiFailure } from '../../../client/failures.js';
import { describeFailure } from '../../api/failures.js';
import { plural } from '../format.js';

/** Assigns what the server refused to the fields of a form, which have names of the API and labels for people. */

export interface FieldFailures {
  /** What is wrong with each field, by its name. */
  byField: Readonly<Record<string, string>>;
  /** A sentence about the whole form. */
  message: string;
  hint: string | undefined;
}

/** @param labels the labels of the fields that can show what is wrong, by name */
export function fieldFailuresOf(error: unknown, labels: ReadonlyMap<string, string>): FieldFailures {
  const { message, hint } = describeFailure(error);
  const details = (error instanceof ApiFailure ? (error.details ?? []) : []).map(({ path, message }) => {
    const [first = '', ...rest] = path.split('.');
    return labels.has(path) ? { name: path, rest: [], message } : { name: first, rest, message };
  });
  const byField: Record<string, string> = {};
  for (const name of new Set(details.map((each) => each.name))) {
    const own = details.filter((each) => each.name === name);
    if (labels.has(name)) byField[name] = own.map((each) => textOf(each, own.length > 1)).join('; ');
  }
  // In the order of the form.
  const marked = [...labels].flatMap(([name, label]) => (byField[name] === undefined ? [] : [label]));
  if (marked.length === 0) return { byField, message, hint };
  const others = details.filter(({ name }) => !labels.has(name));
  const elsewhere = others.map(({ name, rest, message }) => `${[name, ...rest].join('.')} ${message}`).join('; ');
  const toCorrect = `Correct the ${marked.length === 1 ? 'field' : plural(marked.length, 'field')} ${marked.join(', ')}.`;
  return { byField, message: elsewhere === '' ? toCorrect : `${toCorrect} ${elsewhere}.`, hint };
}

/** The path `to.1` means the second entry of a list, and `variables.name` the value of a name. */
function textOf({ rest, message }: { rest: readonly string[]; message: string }, isOneOfMany: boolean): string {
  const [first = '', ...inner] = rest;
  if (!/^\d+$/.test(first)) return [...rest, message].join(' ');
  const text = [...inner, message].join(' ');
  const position = Number(first) + 1;
  return position > 1 || isOneOfMany ? `Entry ${position} ${text}` : text;
}
