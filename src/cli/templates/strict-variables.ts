import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import { brokenPlaceholderAt, brokenPlaceholdersIn, placeholdersIn } from '../../contract/vocabulary/placeholders.js';
import { textPosition } from '../../contract/vocabulary/text.js';
import { AssertionFailedError } from '../errors/exit-codes.js';
import { keyIndex } from '../flags/values/json-input.js';
import type { VariableSource } from '../flags/variables.js';

/**
 * Checks a template and its variables for --strict: every `{{` starts a placeholder, every placeholder has a value, and
 * every value has a placeholder.
 */

/** A text with placeholders, and the name to use in messages. */
export interface TemplatePart {
  name: string;
  text: string;
}

/**
 * Compares placeholders and variables.
 * @throws AssertionFailedError with the file, line and column of every invalid placeholder, placeholder without a
 * value, and value without a placeholder.
 */
export function requireMatchingVariables(parts: readonly TemplatePart[], sources: readonly VariableSource[]): void {
  const found = [brokenPlaceholders(parts), missing(parts, sources), unused(parts, sources)];
  const details = found.flat();
  if (details.length === 0) return;
  const [first] = details;
  const message =
    details.length === 1
      ? `${first?.path}: ${first?.message}.`
      : `${details.length} variables or placeholders do not match.`;
  const hints = HINTS.filter((_, index) => found[index]?.length);
  throw new AssertionFailedError(message, details, hints.join(' '));
}

/** Hints for each kind of problem, in their order. */
const HINTS = [
  'A placeholder is {{name}}, with letters, digits and underscores; without --strict, anything else is left as is.',
  'Pass missing variables with --var NAME=VALUE or --vars.',
  'Without --strict, unused variables are ignored.',
];

/** Returns every `{{` that does not start a placeholder, by file, line and column. */
export function brokenPlaceholders(parts: readonly TemplatePart[]): ErrorDetail[] {
  return parts.flatMap(({ name, text }) =>
    Array.from(brokenPlaceholdersIn(text), (index) => ({
      path: formatPosition(name, text, index),
      message: `${JSON.stringify(brokenPlaceholderAt(text, index))} is not a placeholder`,
    })),
  );
}

function missing(parts: readonly TemplatePart[], sources: readonly VariableSource[]): ErrorDetail[] {
  return parts.flatMap((part) =>
    missingIn(part.text, sources).map(({ name, index }) => ({
      path: formatPosition(part.name, part.text, index),
      message: `${name} is missing`,
    })),
  );
}

/** Returns the placeholders of a text without a value. */
export function missingIn(text: string, sources: readonly Pick<VariableSource, 'values'>[]) {
  return placeholdersIn(text).filter(({ name }) => !sources.some(({ values }) => Object.hasOwn(values, name)));
}

function unused(parts: readonly TemplatePart[], sources: readonly VariableSource[]): ErrorDetail[] {
  const used = new Set(parts.flatMap(({ text }) => placeholdersIn(text)).map(({ name }) => name));
  return sources.flatMap(({ name: source, text, values }) =>
    Object.keys(values)
      .filter((name) => !used.has(name))
      .map((name) => ({
        path: text === undefined ? source : formatPosition(source, text, keyIndex(text, name)),
        message: `${name} is not used`,
      })),
  );
}

/** Formats a position as `file:line:column`, counted from 1. */
function formatPosition(file: string, text: string, index: number): string {
  const { line, column } = textPosition(text, index);
  return `${file}:${line}:${column}`;
}
