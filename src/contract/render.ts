import { type ErrorDetail, ServiceError } from './errors.js';
import type { RenderedTemplate } from './template.js';
import type { Variables } from './variables.js';

/** Template placeholders. Specification: Template; decision 8. */

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

/** The names of a text's placeholders, each once, in order of appearance. */
export function placeholdersOf(text: string): string[] {
  return [...new Set(placeholdersIn(text).map(({ name }) => name))];
}

/**
 * Replaces every placeholder: HTML-escaped in `html`, as it is in `subject` and `text`. Values without a placeholder are
 * ignored.
 * @throws ServiceError `invalid_variables` naming every missing or unusable value.
 */
export function render(template: TemplateSource, variables: Variables): RenderedTemplate {
  const details: ErrorDetail[] = [];
  const inSubject = new Set(placeholdersOf(template.subject));
  const needed = new Set([...inSubject, ...placeholdersOf(template.html), ...placeholdersOf(template.text)]);
  const values = new Map<string, string>();
  for (const name of needed) {
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const problem = problemOf(value, inSubject.has(name));
    if (problem) details.push({ path: `variables.${name}`, message: problem });
    else values.set(name, String(value));
  }
  for (const [name, value] of Object.entries(variables)) {
    const problem = needed.has(name) ? undefined : problemOf(value, false);
    if (problem) details.push({ path: `variables.${name}`, message: problem });
  }
  refuse(details);
  const fill = (text: string, encode: (value: string) => string) =>
    text.replace(PLACEHOLDER, (_, name: string) => encode(values.get(name) ?? ''));
  return {
    subject: fill(template.subject, (value) => value),
    html: fill(template.html, escapeHtml),
    text: fill(template.text, (value) => value),
  };
}

/** Holds values to what a placeholder may be given. @throws ServiceError `invalid_variables`. */
export function checkVariables(variables: Variables): void {
  render({ subject: '', html: '', text: '' }, variables);
}

function refuse(details: ErrorDetail[]): void {
  if (details.length === 0) return;
  const problems = details.map(({ path, message }) => `${path.slice('variables.'.length)} ${message}`);
  throw new ServiceError('invalid_variables', `Template variables: ${problems.join('; ')}.`, details);
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
