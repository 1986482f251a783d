import { safeText } from './text.js';

/** Colours that say how something stands; none where they are not wanted or not seen. */

export type Color = 'good' | 'waiting' | 'bad' | 'faint';

const CODES: Record<Color, number> = { good: 32, waiting: 33, bad: 31, faint: 2 };

/** FORCE_COLOR decides, 0 and false against; then NO_COLOR; then whether it is a terminal that can. https://no-color.org */
export function wantsColor(env: NodeJS.ProcessEnv, { isTTY }: { isTTY?: boolean }): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (env.NO_COLOR) return false;
  return isTTY === true && env.TERM !== 'dumb';
}

export function paint(text: string, color: Color | undefined): string {
  return color === undefined || text === '' ? text : `\u001b[${CODES[color]}m${text}\u001b[0m`;
}

const PAINTED = new RegExp(`(\u001b\\[(?:0|${Object.values(CODES).join('|')})m)`);

/** Text of several lines, safe to print, with the colours of `paint` and nothing else of their kind. */
export function safePaintedText(text: string): string {
  // What was split at stands at the odd places.
  return text
    .split(PAINTED)
    .map((part, index) => (index % 2 === 1 ? part : safeText(part)))
    .join('');
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
