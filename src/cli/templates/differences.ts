import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { type Color, type Printable, paint } from '../output/color.js';
import { oneLine, safeText } from '../output/text.js';
import type { Sync, SyncStep } from './sync.js';
import { describePlan } from './sync-output.js';

/** Describes exactly how a directory's templates and a server's differ. */

/** A part of a template that both sides have. */
interface Texts {
  here: string;
  there: string;
}

/** A step with the texts of its fields, by their names. */
export interface ComparedStep extends SyncStep {
  texts: Record<string, Texts>;
}

/** Two texts with more edits than this share almost nothing, and would take long to compare. */
const EDITS_MAX = 4_000;

export function withTexts(step: SyncStep, { sides }: Sync): ComparedStep {
  const { local, remote } = sides.get(step.name) ?? {};
  const both = local && remote;
  const fields = step.fields as ('subject' | 'html' | 'text')[];
  const texts = both ? fields.map((field) => [field, { here: local[field], there: remote[field] }]) : [];
  return { ...step, texts: Object.fromEntries(texts) };
}

/**
 * Returns each step's line, and after it a unified patch of each of its texts, that turns the server's into the
 * directory's.
 */
export function describeDifferences(steps: readonly ComparedStep[], sync: Sync): Printable {
  return steps.map((step) => {
    const patches = Object.entries(step.texts).map(([field, texts]) =>
      patchOf(`${oneLine(step.name)} (${field})`, texts),
    );
    return [describePlan([step], sync), patches];
  });
}

function patchOf(name: string, { here, there }: Texts): Printable {
  const options = { headerOptions: FILE_HEADERS_ONLY, maxEditLength: EDITS_MAX };
  // A missing line end on both sides, as in every subject, is not a difference.
  const end = there.endsWith('\n') || here.endsWith('\n') ? '' : '\n';
  const patch = createTwoFilesPatch(name, name, there + end, here + end, 'server', 'local', options);
  if (patch === undefined) return `${name}: more than ${EDITS_MAX} lines differ; use --json to get both texts.\n`;
  const lines = patch.replace(/\n$/, '').split('\n').map(visible);
  return lines.map((line) => [paint(line, colorOfLine(line)), '\n']);
}

/** Returns a line that is safe to print, with a visible line end where it differs. */
function visible(line: string): string {
  return safeText(line.replace(/\r$/, '␍'));
}

const COLORS: Record<string, Color> = { '+': 'good', '-': 'bad', '@': 'waiting' };

function colorOfLine(line: string): Color | undefined {
  return /^(\+\+\+|---) /.test(line) ? 'faint' : COLORS[line.charAt(0)];
}
