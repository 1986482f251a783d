import type { CheckPlace } from '../../contract/control/emails/check.js';

/** Positions that a check lists. */
const PLACES_MAX = 20;
/** Characters of an excerpt. */
const EXCERPT_MAX = 100;

/** A part of a text, in UTF-16 code units. */
export interface Range {
  start: number;
  end: number;
}

/** Returns lines and columns of a text, both from 1. Columns count UTF-16 code units. */
export class Places {
  #lineStarts: number[] | undefined;

  constructor(
    private readonly text: string,
    private readonly source: CheckPlace['source'],
  ) {}

  /** Describes a range by its position and its content. */
  of({ start, end }: Range, note?: string): CheckPlace {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] as number) <= start) low = middle;
      else high = middle - 1;
    }
    const column = start - (starts[low] as number) + 1;
    const excerpt = excerptOf(this.text.slice(start, Math.min(end, start + 2 * EXCERPT_MAX)));
    return { source: this.source, line: low + 1, column, excerpt, ...(note !== undefined && { note }) };
  }

  /** Describes a position by what follows it. */
  at(start: number, note?: string): CheckPlace {
    return this.of({ start, end: this.text.length }, note);
  }

  #starts(): number[] {
    if (!this.#lineStarts) {
      this.#lineStarts = [0];
      for (let end = this.text.indexOf('\n'); end >= 0; end = this.text.indexOf('\n', end + 1)) {
        this.#lineStarts.push(end + 1);
      }
    }
    return this.#lineStarts;
  }
}

function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > EXCERPT_MAX ? `${line.slice(0, EXCERPT_MAX - 1).trimEnd()}…` : line;
}

/** Positions that a check found: all are counted, the first are kept. */
export class Found {
  count = 0;
  readonly where: CheckPlace[] = [];

  constructor(private readonly max = PLACES_MAX) {}

  /** Adds a position, which is described only if it is kept. */
  add(place: () => CheckPlace, times = 1): void {
    this.count += times;
    if (this.where.length < this.max) this.where.push(place());
  }
}
