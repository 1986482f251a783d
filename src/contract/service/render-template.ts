import type { ErrorDetail } from '../vocabulary/error-detail.js';
import { invalidField, ServiceError } from '../vocabulary/errors.js';
import { ERROR_DETAILS_MAX, RENDERED_CONTENT_BYTES, SUBJECT_CHARACTERS } from '../vocabulary/limits.js';
import { PLACEHOLDER } from '../vocabulary/placeholders.js';
import {
  CONTROL_CHARACTER,
  characterCount,
  escapeHtml,
  shortened,
  utf8Length,
  VISIBLE_CHARACTER,
} from '../vocabulary/text.js';
import type { RenderedTemplate } from './templates.js';
import type { Variables } from './variables.js';

/** Fills template placeholders. Specification: Template; gap 8. */

/** The start of an error detail's path to a variable. */
const PATH = 'variables.';
/** Maximum number of variables that an error message names. Its details name more. */
const NAMED_MAX = 20;
export interface TemplateSource {
  subject: string;
  html: string;
  text: string;
}

/**
 * Replaces every placeholder: with HTML escaping in `html`, without it in `subject` and `text`. Ignores values without
 * a placeholder.
 * @throws ServiceError `invalid_variables` with a detail for each missing or unusable value; `invalid` when a field
 * would exceed its limit, which is checked before the field is built, or the subject would be empty.
 */
export function render(template: TemplateSource, variables: Variables): RenderedTemplate {
  const counts = {
    subject: countPlaceholders(template.subject),
    html: countPlaceholders(template.html),
    text: countPlaceholders(template.text),
  };
  const values = valuesOf(counts, variables);
  refuseTooLong('subject', lengthOf(characterCount(template.subject), counts.subject, values, characterCount));
  refuseTooLong('html', lengthOf(utf8Length(template.html), counts.html, values, escapedBytes));
  refuseTooLong('text', lengthOf(utf8Length(template.text), counts.text, values, utf8Length));
  const escaped = new Map<string, string>();
  for (const name of counts.html.keys()) escaped.set(name, escapeHtml(values.get(name) ?? ''));
  const fill = (text: string, from: Map<string, string>) =>
    text.replace(PLACEHOLDER, (_, name: string) => from.get(name) ?? '');
  const subject = fill(template.subject, values);
  if (!VISIBLE_CHARACTER.test(subject)) throw invalidField('subject', 'must contain a visible character once rendered');
  if (CONTROL_CHARACTER.test(subject)) throw invalidField('subject', 'must not contain a control character');
  return { subject, html: fill(template.html, escaped), text: fill(template.text, values) };
}

type Counts = ReturnType<typeof countPlaceholders>;

const NO_PLACEHOLDERS: Record<keyof TemplateSource, Counts> = { subject: new Map(), html: new Map(), text: new Map() };

/** Checks that values can be used for placeholders. @throws ServiceError `invalid_variables`. */
export function checkVariables(variables: Variables): void {
  valuesOf(NO_PLACEHOLDERS, variables);
}

/** Returns the text of each placeholder's value. @throws ServiceError `invalid_variables`. */
function valuesOf(counts: Record<keyof TemplateSource, Counts>, variables: Variables): Map<string, string> {
  const problems: ErrorDetail[] = [];
  const refuse = (name: string, message: string) => problems.push({ path: `${PATH}${shortened(name)}`, message });
  const needed = new Set([...counts.subject.keys(), ...counts.html.keys(), ...counts.text.keys()]);
  const values = new Map<string, string>();
  for (const name of needed) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const problem = problemOf(value, counts.subject.has(name));
    if (problem) refuse(name, problem);
    else values.set(name, String(value));
  }
  for (const [name, value] of Object.entries(variables)) {
    const problem = needed.has(name) ? undefined : problemOf(value, false);
    if (problem) refuse(name, problem);
  }
  if (problems.length > 0) throw refusedVariables(problems);
  return values;
}

/** Counts the occurrences of each placeholder, and the characters that they take. */
function countPlaceholders(text: string): Map<string, { times: number; characters: number }> {
  const counts = new Map<string, { times: number; characters: number }>();
  for (const { 0: placeholder, 1: name = '' } of text.matchAll(PLACEHOLDER)) {
    const count = counts.get(name);
    if (!count) counts.set(name, { times: 1, characters: placeholder.length });
    else {
      count.times += 1;
      count.characters += placeholder.length;
    }
  }
  return counts;
}

/** Returns the length of a rendered text in bytes. Placeholders are ASCII, so each of their characters takes one byte. */
function lengthOf(
  source: number,
  counts: Counts,
  values: Map<string, string>,
  measure: (value: string) => number,
): number {
  let length = source;
  for (const [name, { times, characters }] of counts) {
    length += times * measure(values.get(name) ?? '') - characters;
  }
  return length;
}

const rendered = {
  subject: { max: SUBJECT_CHARACTERS, unit: 'characters' },
  html: { max: RENDERED_CONTENT_BYTES, unit: 'bytes in UTF-8' },
  text: { max: RENDERED_CONTENT_BYTES, unit: 'bytes in UTF-8' },
};

function refuseTooLong(field: keyof TemplateSource, length: number): void {
  const { max, unit } = rendered[field];
  if (length > max) throw invalidField(field, `must be at most ${max} ${unit} once rendered, not ${length}`);
}

/** Returns an error that names the variables, up to the limits. */
function refusedVariables(problems: readonly ErrorDetail[]): ServiceError {
  const named = problems.slice(0, NAMED_MAX).map(({ path, message }) => `${path.slice(PATH.length)} ${message}`);
  const more = problems.length > NAMED_MAX ? `; and ${problems.length - NAMED_MAX} more` : '';
  const message = `Template variables: ${named.join('; ')}${more}.`;
  return new ServiceError('invalid_variables', message, problems.slice(0, ERROR_DETAILS_MAX));
}

function problemOf(value: unknown, inSubject: boolean): string | undefined {
  if (value === undefined) return 'is missing';
  if (typeof value === 'string') {
    const isRefused = inSubject && CONTROL_CHARACTER.test(value);
    return isRefused ? 'must not contain a line break or another control character in the subject' : undefined;
  }
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return undefined;
  return 'must be a string, a finite number or a boolean';
}

/** Number of bytes that escaping adds to a character, by its code. */
const ADDED_BYTES = Array.from({ length: 128 }, (_, code) => escapeHtml(String.fromCharCode(code)).length - 1);

/** Returns the number of bytes of a text after escaping, without escaping it. */
function escapedBytes(text: string): number {
  let bytes = utf8Length(text);
  for (let index = 0; index < text.length; index += 1) bytes += ADDED_BYTES[text.charCodeAt(index)] ?? 0;
  return bytes;
}
