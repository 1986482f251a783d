import { INVISIBLE } from '../../html/shown-text.js';
import { folded, narrowed } from './fold.js';
import { type Word, type WordKind, wordsIn } from './words.js';

/** A sentence, or a part of a line that stands for itself. */
export class Clause {
  #folded: string | undefined;
  #words: readonly Word[] | undefined;
  #names: readonly Name[] | undefined;
  #kinds: ReadonlySet<WordKind> | undefined;

  constructor(
    /** With ASCII digits, letters, spaces and hyphens instead of similar characters. */
    readonly text: string,
    /** The number of its line. */
    readonly line: number,
  ) {}

  /** The same length as `text`. */
  get folded(): string {
    this.#folded ??= folded(this.text);
    return this.#folded;
  }

  get words(): readonly Word[] {
    this.#words ??= wordsIn(this.folded);
    return this.#words;
  }

  /** The names of codes and of other numbers. */
  get names(): readonly Name[] {
    this.#names ??= namesOf(this);
    return this.#names;
  }

  has(kind: WordKind): boolean {
    this.#kinds ??= new Set(this.words.map((word) => word.kind));
    return this.#kinds.has(kind);
  }
}

/** A name of a code or of another number in a clause. */
export type Name = Word & { kind: keyof typeof RANK };

const RANK = { other: 2, code: 1, sign: 0 };
/** What can be between two words of one name, as in "code de la commande". */
const JOINED = /^[ '-]?(?:\p{L}{1,3}[ '.]{1,2}){0,2}$/u;

/** Returns the names of a clause in order. Of overlapping names, the longest counts; joined ones are one name. */
function namesOf({ words, folded }: Clause): Name[] {
  const all = words.filter((word): word is Name => word.kind in RANK);
  const sorted = all.sort((a, b) => b.end - b.start - (a.end - a.start) || RANK[b.kind] - RANK[a.kind]);
  const kept: Name[] = [];
  for (const name of sorted) {
    if (!kept.some(({ start, end }) => start < name.end && name.start < end)) kept.push({ ...name });
  }
  const names: Name[] = [];
  for (const name of kept.sort((a, b) => a.start - b.start)) {
    const last = names.at(-1);
    if (last && JOINED.test(folded.slice(last.end, name.start))) {
      last.end = name.end;
      if (RANK[name.kind] > RANK[last.kind]) last.kind = name.kind;
    } else names.push(name);
  }
  return names;
}

/** Characters of a clause: a longer sentence is searched in pieces. */
const CLAUSE_MAX = 1_000;
const DIGITS_MIN = 4;
/** Characters of a code that are apart: one, or fewer than a code has. */
const SINGLES = /^[A-Za-z0-9](?:[ \t]{1,3}[A-Za-z0-9]){0,2}$/;

/** Returns the clauses of lines in order. Characters on lines of their own, up to three on each, form one clause. */
export function clausesOf(lines: readonly string[]): Clause[] {
  const clauses: Clause[] = [];
  const add = (text: string, line: number) => {
    for (let at = 0; at < text.length; at += CLAUSE_MAX) {
      const piece = text.slice(at, at + CLAUSE_MAX).trim();
      if (piece !== '') clauses.push(new Clause(piece, line));
    }
  };
  let singles: string[] = [];
  const flush = (line: number) => {
    if (singles.length >= DIGITS_MIN) add(singles.join(' '), line);
    else for (const each of singles) add(each, line);
    singles = [];
  };
  lines.forEach((line, number) => {
    const text = narrowed(line.replace(INVISIBLE, '')).trim();
    if (text === '') return;
    if (SINGLES.test(text)) {
      singles.push(...text.split(/[ \t]+/));
      return;
    }
    flush(number);
    for (const sentence of sentencesOf(text)) add(sentence, number);
  });
  flush(lines.length);
  return clauses;
}

/** A question mark in a URL is followed by a name and a value. */
const ENDS = /[.!?](?=\s)|[\u3002\uff01\uff1f](?=\S)|[!?](?![\w%.-]{1,40}=)(?=\S)|\u3002|[;\uff1b|\u2022]/g;
/** Letters of a word that a full stop abbreviates, as in "No. 12". */
const ABBREVIATION_MAX = 3;

/** Splits a line at the ends of sentences. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  for (const { start: index } of spansOf(text, ENDS)) {
    if (text[index] === '.' && isAbbreviation(text, index)) continue;
    sentences.push(text.slice(start, index + 1));
    start = index + 1;
  }
  sentences.push(text.slice(start));
  return sentences;
}

/** Returns whether a number follows a full stop that ends a short word. */
function isAbbreviation(text: string, stop: number): boolean {
  if (!/^\s+(?:[\d#]|[A-Z]-?\d)/.test(text.slice(stop + 1, stop + 6))) return false;
  const before = text.slice(Math.max(0, stop - ABBREVIATION_MAX - 1), stop);
  return !/[\p{L}\d]{4}$/u.test(before) && /\p{L}$/u.test(before);
}

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
