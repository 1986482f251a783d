import { type ErrorDetail, invalidField, ServiceError } from '../vocabulary/errors.js';
import { shortened } from '../vocabulary/helpers/shorten.js';
import { utf8Length } from '../vocabulary/helpers/utf8-length.js';
import { ERROR_DETAILS_MAX, RENDERED_CONTENT_BYTES, SUBJECT_CHARACTERS } from '../vocabulary/limits.js';
import type { RenderedTemplate } from './templates.js';
import type { Variables } from './variables.js';

/** Template placeholders. Specification: Template; decision 8. */

/** Paths of the details that name variables begin with it. */
const PATH = 'variables.';
/** Variables that a message names; the details name more. */
const NAMED_MAX = 20;
const PLACEHOLDER = /\{\{ *([A-Za-z_][A-Za-z0-9_]*) *\}\}/g;

export interface TemplateSource {
  subject: string;
  html: string;
  text: string;
}

/** Every placeholder of a text, and at which character it begins. */
export function placeholdersIn(text: string): { name: string; index: number }[] {
  return Array.from(text.matchAll(PLACEHOLDER), ({ 1: name = '', index }) => ({ name, index }));
}

/** Where `{{` begins something that is no placeholder, and so stays as it stands. */
export function brokenPlaceholdersIn(text: string): number[] {
  const others = text.replace(PLACEHOLDER, (placeholder) => ' '.repeat(placeholder.length));
  return Array.from(others.matchAll(/\{\{/g), ({ index }) => index);
}

/**
 * Replaces every placeholder: HTML-escaped in `html`, as it is in `subject` and `text`. Values without a placeholder are
 * ignored.
 * @throws ServiceError `invalid_variables` with a detail for each missing or unusable value; `invalid` when a field would be
 * longer than it may be, which is found before it is built.
 */
export function render(template: TemplateSource, variables: Variables): RenderedTemplate {
  const problems: ErrorDetail[] = [];
  const refuse = (name: string, message: string) => problems.push({ path: `${PATH}${shortened(name)}`, message });
  const counts = {
    subject: countPlaceholders(template.subject),
    html: countPlaceholders(template.html),
    text: countPlaceholders(template.text),
  };
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
  const characters = ({ length }: string) => length;
  refuseTooLong('subject', lengthOf(characters(template.subject), counts.subject, values, characters));
  refuseTooLong('html', lengthOf(utf8Length(template.html), counts.html, values, escapedBytes));
  refuseTooLong('text', lengthOf(utf8Length(template.text), counts.text, values, utf8Length));
  const escaped = new Map<string, string>();
  for (const name of counts.html.keys()) escaped.set(name, escapeHtml(values.get(name) ?? ''));
  const fill = (text: string, from: Map<string, string>) =>
    text.replace(PLACEHOLDER, (_, name: string) => from.get(name) ?? '');
  return {
    subject: fill(template.subject, values),
    html: fill(template.html, escaped),
    text: fill(template.text, values),
  };
}

/** Holds values to what a placeholder may be given. @throws ServiceError `invalid_variables`. */
export function checkVariables(variables: Variables): void {
  render({ subject: '', html: '', text: '' }, variables);
}

/** How often each placeholder occurs, and how much of the text they are together. */
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

/** How long a text becomes when its placeholders are filled. These are ASCII: each of their characters is a byte. */
function lengthOf(
  source: number,
  counts: ReturnType<typeof countPlaceholders>,
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

/** Returns the failure that names each variable, as far as the limits go. */
function refusedVariables(problems: readonly ErrorDetail[]): ServiceError {
  const named = problems.slice(0, NAMED_MAX).map(({ path, message }) => `${path.slice(PATH.length)} ${message}`);
  const more = problems.length > NAMED_MAX ? `; and ${problems.length - NAMED_MAX} more` : '';
  const message = `Template variables: ${named.join('; ')}${more}.`;
  return new ServiceError('invalid_variables', message, problems.slice(0, ERROR_DETAILS_MAX));
}

function problemOf(value: unknown, inSubject: boolean): string | undefined {
  if (value === undefined) return 'is missing';
  if (typeof value === 'string') {
    return inSubject && /[\r\n]/.test(value) ? 'must not contain a line break, because the subject uses it' : undefined;
  }
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return undefined;
  return 'must be a string, a finite number or a boolean';
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** By character code, how many bytes escaping adds. */
const ADDED_BYTES = Array.from({ length: 128 }, (_, code) => (ENTITIES[String.fromCharCode(code)]?.length ?? 1) - 1);

/** How many bytes a text takes once it is escaped, without escaping it. */
function escapedBytes(text: string): number {
  let bytes = utf8Length(text);
  for (let index = 0; index < text.length; index += 1) bytes += ADDED_BYTES[text.charCodeAt(index)] ?? 0;
  return bytes;
}
