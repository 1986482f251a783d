import type { LineStyle } from './line-style.js';

/** A short piece of a line of a chart, for its legend. */
export function SeriesMark({ line: { color, dash } }: { line: LineStyle }) {
  return (
    <svg width="18" height="8" aria-hidden="true">
      <line x1="1" y1="4" x2="17" y2="4" stroke={`var(${color})`} strokeWidth="2.5" strokeDasharray={dash?.join(' ')} />
    </svg>
  );
}
