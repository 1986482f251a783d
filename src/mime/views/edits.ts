/** Replaces ranges of a text. */

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Returns the text with all edits. One that begins within another is left out; at the same position, the longer one wins. */
export function applyEdits(source: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return source;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text } of [...edits].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    parts.push(source.slice(at, start), text);
    at = end;
  }
  parts.push(source.slice(at));
  return parts.join('');
}
