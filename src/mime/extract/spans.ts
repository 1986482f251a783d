/** A part of a text. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns what a global expression matches. It takes a fraction of the time of `matchAll`, which copies the expression
 * for each text.
 */
export function spansOf(text: string, expression: RegExp): Span[] {
  const spans: Span[] = [];
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    // No expression matches an empty text, but a mistake must not end in a loop.
    if (match[0] === '') break;
    spans.push({ start: match.index, end: match.index + match[0].length });
  }
  return spans;
}
