import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { type Color, type Printable, paint } from '../output/color.js';
import { oneLine, safeText } from '../output/text.js';
import type { Sync, SyncStep } from './sync.js';
import { describePlan } from './sync-output.js';

/** Describes the differences between the templates of a directory and of a server. */

/** A field of a template that both sides have, with both texts. */
interface Texts {
  here: string;
  there: string;
}

/** A step with the texts of its fields, by their names. */
export interface ComparedStep extends SyncStep {
  texts: Record<string, Texts>;
}

/** Maximum number of edits to compare. Texts with more share almost nothing, and take long to compare. */
const EDITS_MAX = 4_000;

export function withTexts(step: SyncStep, { sides }: Sync): ComparedStep {
  const { local, remote } = sides.get(step.name) ?? {};
  const both = local && remote;
  const fields = step.fields as ('subject' | 'html' | 'text')[];
  const texts = both ? fields.map((field) => [field, { here: local[field], there: remote[field] }]) : [];
  return { ...step, texts: Object.fromEntries(texts) };
}

/**
 * Returns each step's line, followed by a unified patch of each of its texts. The patch turns the server's text into
 * the directory's.
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
  // If the last line has no line break on either side, as in every subject, that is not a difference.
  const end = there.endsWith('\n') || here.endsWith('\n') ? '' : '\n';
  const patch = createTwoFilesPatch(name, name, there + end, here + end, 'server', 'local', options);
  if (patch === undefined) return `${name}: more than ${EDITS_MAX} lines differ; use --json to get both texts.\n`;
  const lines = patch.replace(/\n$/, '').split('\n').map(visible);
  return lines.map((line) => [paint(line, colorOfLine(line)), '\n']);
}

/** Returns a line that is safe to print. Where line breaks differ, they are visible. */
function visible(line: string): string {
  return safeText(line.replace(/\r$/, '␍'));
}

const COLORS: Record<string, Color> = { '+': 'good', '-': 'bad', '@': 'waiting' };

function colorOfLine(line: string): Color | undefined {
  return /^(\+\+\+|---) /.test(line) ? 'faint' : COLORS[line.charAt(0)];
}
