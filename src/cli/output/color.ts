import { safeText } from './text.js';

/** Colours that say how something stands; none where they are not wanted or not seen. */

export type Color = 'good' | 'waiting' | 'bad' | 'faint';

const CODES: Record<Color, number> = { good: 32, waiting: 33, bad: 31, faint: 2 };

/** FORCE_COLOR decides, 0 and false against; then NO_COLOR; then whether it is a terminal that can. https://no-color.org */
function wantsColor(env: NodeJS.ProcessEnv, { isTTY }: { isTTY?: boolean }): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY === true && env.TERM !== 'dumb';
}

/** Text and its colour. What it holds is not safe to print before `printed` has made it so. */
class Painted {
  constructor(
    readonly text: string,
    readonly color: Color,
  ) {}
}

/** Text for a person, in pieces. Only a piece that svc has painted has a colour; no text can bring its own. */
export type Printable = string | Painted | readonly Printable[];

export function paint(text: string, color: Color | undefined): string | Painted {
  return color === undefined || text === '' ? text : new Painted(text, color);
}

/** Puts a separator between pieces, as `Array.join` does. */
export function joined(pieces: readonly Printable[], separator: string): Printable {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [separator, piece]));
}

/** Returns text of several lines that is safe to print: every piece sanitised, then painted where colours are wanted. */
export function printed(piece: Printable, withColor: boolean): string {
  if (typeof piece === 'string') return safeText(piece);
  if (piece instanceof Painted) {
    const text = safeText(piece.text);
    return withColor ? `\u001b[${CODES[piece.color]}m${text}\u001b[0m` : text;
  }
  return piece.map((each) => printed(each, withColor)).join('');
}

/** Returns text for stdout, painted where stdout takes colours. */
export function printedOut(piece: Printable): string {
  return printed(piece, wantsColor(process.env, process.stdout));
}

const MEANINGS: [RegExp, Color][] = [
  [/^(delivered|verified|succeeded|active|yes|2\d\d)$/, 'good'],
  [/^(sent|scheduled|pending|queued|3\d\d|4\d\d)$/, 'waiting'],
  [/^(bounced|complained|failed|dropped|error|no|5\d\d)$/, 'bad'],
  [/^cancelled$/, 'faint'],
];

/** What a status means, of an email, a domain, a delivery or a response. */
export function colorOf(status: string): Color | undefined {
  return MEANINGS.find(([pattern]) => pattern.test(status))?.[1];
}
