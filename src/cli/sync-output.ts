import { CommandError } from './exit-codes.js';
import type { Changed, Sync, SyncAction, SyncStep } from './template-sync.js';

/** How a plan for templates reads, a line a step. */

const marks: Record<SyncAction, string> = { create: '+', update: '~', delete: '-', unchanged: ' ', conflict: '!' };

const onBothSides: Record<Changed, string> = {
  here: 'changed here',
  there: 'changed there',
  both: 'changed on both sides',
  unknown: 'differs, and was never synced',
};
const onlyHere: Partial<Record<Changed, string>> = {
  here: 'only here',
  there: 'removed there',
  both: 'changed here, removed there',
};
const onlyThere: Partial<Record<Changed, string>> = {
  there: 'only there',
  here: 'removed here',
  both: 'removed here, changed there',
};

export function describePlan(plan: readonly SyncStep[], sync: Sync): string {
  return plan
    .map((step) => `${marks[step.action]} ${[step.name, describeStep(step, sync)].join(' ').trimEnd()}\n`)
    .join('');
}

/** What is to be said to a push with conflicts, each of them; undefined when there is none. */
export function refusalOf(plan: readonly SyncStep[], sync: Sync): CommandError | undefined {
  const conflicts = plan.filter(({ action }) => action === 'conflict');
  const [first, ...more] = conflicts.map((step) => ({ path: step.name, message: describeStep(step, sync) }));
  if (!first) return undefined;
  const what = more.length === 0 ? `${first.path} ${first.message}` : `${conflicts.length} templates conflict`;
  return new CommandError(
    `Not pushed: ${what}. Nothing was changed.`,
    'Compare with "svc templates diff"; then take the server’s with "svc templates pull", or push with --force.',
    [first, ...more],
  );
}

/** What of a template differs, and where it was changed; empty when both sides are alike. */
function describeStep({ name, fields, changed }: SyncStep, { sides }: Sync): string {
  if (changed === null) return '';
  const { local, remote } = sides.get(name) ?? {};
  const words = (!remote ? onlyHere : !local ? onlyThere : onBothSides)[changed];
  return [...(fields.length > 0 ? [`(${fields.join(', ')})`] : []), words].join(' ');
}
