import { safeText } from './text.js';

/** Colors text by its status. Text stays plain where colors are not supported or not wanted. */

export type Color = 'good' | 'waiting' | 'bad' | 'faint';

const CODES: Record<Color, number> = { good: 32, waiting: 33, bad: 31, faint: 2 };

/**
 * Returns whether to print colors. FORCE_COLOR has precedence (0 and false disable it), then NO_COLOR, then the
 * terminal. https://no-color.org
 */
function wantsColor(env: NodeJS.ProcessEnv, { isTTY }: { isTTY?: boolean }): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY === true && env.TERM !== 'dumb';
}

/** Text with a color. It is not safe to print until `printed` has sanitised it. */
class Painted {
  constructor(
    readonly text: string,
    readonly color: Color,
  ) {}
}

/** Text for a person, in parts. Only parts that svc colors have a color: control characters in the text are removed. */
export type Printable = string | Painted | readonly Printable[];

export function paint(text: string, color: Color | undefined): string | Painted {
  return color === undefined || text === '' ? text : new Painted(text, color);
}

/** Joins parts with a separator, as `Array.join` does. */
export function joined(pieces: readonly Printable[], separator: string): Printable {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}

/** Returns text of several lines that is safe to print. Sanitises every part before adding colors. */
export function printed(piece: Printable, withColor: boolean): string {
  if (typeof piece === 'string') return safeText(piece);
  if (piece instanceof Painted) {
    const text = safeText(piece.text);
    return withColor ? `\u001b[${CODES[piece.color]}m${text}\u001b[0m` : text;
  }
  return piece.map((each) => printed(each, withColor)).join('');
}

/** Returns text for stdout, with colors where stdout supports them. */
export function printedOut(piece: Printable): string {
  return printed(piece, wantsColor(process.env, process.stdout));
}

const MEANINGS: [RegExp, Color][] = [
  [/^(delivered|verified|succeeded|active|yes|2\d\d)$/, 'good'],
  [/^(sent|scheduled|pending|queued|3\d\d|4\d\d)$/, 'waiting'],
  [/^(bounced|complained|failed|(?:sent, )?dropped|error|no|5\d\d)$/, 'bad'],
  [/^cancelled$/, 'faint'],
];

/** Returns the color for a status of an email, a domain, a delivery or a response. */
export function colorOf(status: string): Color | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(status))?.[1];
}
