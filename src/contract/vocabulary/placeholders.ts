/** Finds the placeholders of templates. Specification: Template; gap 8. */

/** Matches a placeholder of a template, with its name. */
export const PLACEHOLDER = /\{\{ *([A-Za-z_][A-Za-z0-9_]*) *\}\}/g;
/** Matches a placeholder, or a `{{` that neither starts one nor overlaps the start of one. */
const ANY_PLACEHOLDER = new RegExp(`${PLACEHOLDER.source}|\\{(?!${PLACEHOLDER.source})\\{`, 'g');

/** Returns every placeholder of a text with its name and its position. */
export function placeholdersIn(text: string): { name: string; index: number }[] {
  return Array.from(text.matchAll(PLACEHOLDER), ({ 1: name = '', index }) => ({ name, index }));
}

/** Returns the position of every `{{` that does not start a valid placeholder. Rendering does not change these. */
export function* brokenPlaceholdersIn(text: string): Generator<number> {
  for (const { 1: name, index } of text.matchAll(ANY_PLACEHOLDER)) if (name === undefined) yield index;
}

/** Matches the part of an invalid placeholder that messages quote. */
const EXCERPT = /^.{0,30}?\}\}|^.{0,24}/;

/** Returns the start of an invalid placeholder, to quote it. */
export function brokenPlaceholderAt(text: string, index: number): string {
  return EXCERPT.exec(text.slice(index, index + 40))?.[0] ?? '';
}
