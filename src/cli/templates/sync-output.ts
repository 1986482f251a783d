import { CommandError } from '../errors/exit-codes.js';
import { oneLine } from '../output/text.js';
import type { Changed, Sync, SyncAction, SyncStep } from './sync.js';
import { directoryName } from './write-directory.js';

/** Formats a plan for templates, one line per step. */

const marks: Record<SyncAction, string> = { create: '+', update: '~', delete: '-', unchanged: ' ', conflict: '!' };

const onBothSides: Record<Changed, string> = {
  here: 'changed locally',
  there: 'changed on the server',
  both: 'changed on both sides',
  unknown: 'differs, no sync record',
};
const onlyHere: Partial<Record<Changed, string>> = {
  here: 'only local',
  there: 'deleted on the server',
  both: 'changed locally, deleted on the server',
};
const onlyThere: Partial<Record<Changed, string>> = {
  there: 'only on the server',
  here: 'deleted locally',
  both: 'deleted locally, changed on the server',
};

export function describePlan(plan: readonly SyncStep[], sync: Sync): string {
  return plan
    .map((step) => `${marks[step.action]} ${[oneLine(step.name), describeStep(step, sync)].join(' ').trimEnd()}\n`)
    .join('');
}

/** Describes what a push did, or would do. */
export function describePush(plan: readonly SyncStep[], applied: boolean): string {
  const counts = (Object.keys(done) as (keyof typeof done)[]).flatMap((action) => {
    const count = plan.filter((step) => step.action === action).length;
    return count === 0 ? [] : [`${count} ${done[action]}`];
  });
  if (counts.length === 0) return 'Nothing to push.';
  return applied
    ? `Pushed: ${counts.join(', ')}.`
    : `Dry run, nothing was changed. Without --dry-run: ${counts.join(', ')}.`;
}

const done = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/** Returns the error for a push with conflicts, which names each; undefined without conflicts. */
export function refusalOf(plan: readonly SyncStep[], sync: Sync): CommandError | undefined {
  const conflicts = plan.filter(({ action }) => action === 'conflict');
  const [first, ...more] = conflicts.map((step) => ({ path: step.name, message: describeStep(step, sync) }));
  if (!first) return undefined;
  const what = more.length === 0 ? `${first.path} ${first.message}` : `${conflicts.length} templates conflict`;
  return new CommandError(`Not pushed: ${what}. Nothing was changed.`, hintFor(conflicts, sync), [first, ...more]);
}

/**
 * Returns the advice for conflicts. A pull copies the server's templates, but does not delete those that the server no
 * longer has.
 */
function hintFor(conflicts: readonly SyncStep[], sync: Sync): string {
  const removed = conflicts.filter((step) => isRemovedThere(step, sync));
  const directories = removed.length === 1 ? 'its directory' : 'the directories of templates deleted on the server';
  if (removed.length === conflicts.length)
    return `Delete ${directories} too, or push with --force to recreate ${removed.length === 1 ? 'it' : 'them'}.`;
  // A pull without --force copies templates that only the server changed. Any other change requires --force.
  const force = conflicts.some((step) => !isRemovedThere(step, sync) && step.changed !== 'there') ? ' --force' : '';
  const take = `Compare with "svc templates diff". Keep the server’s version with "svc templates pull${force}"`;
  const remove = removed.length > 0 ? `, delete ${directories}` : '';
  return `${take}${remove}, or overwrite it with "svc templates push --force".`;
}

/** Returns the warnings about templates that a pull did not change. */
export function warningsFor(plan: readonly SyncStep[], sync: Sync): string[] {
  const names = (steps: readonly SyncStep[]) => steps.map(({ name }) => oneLine(name)).join(', ');
  const conflicts = plan.filter(({ action }) => action === 'conflict');
  const removed = plan.filter((step) => isRemovedThere(step, sync));
  return [
    ...(removed.length > 0
      ? [
          `Deleted on the server, kept locally: ${names(removed)}. Delete them locally too, or push with --force to recreate them.`,
        ]
      : []),
    ...(conflicts.length > 0
      ? [`Not overwritten: ${names(conflicts)}. Compare with "svc templates diff", then pull or push with --force.`]
      : []),
  ];
}

function isRemovedThere({ name, changed }: SyncStep, { sides }: Sync): boolean {
  return sides.get(name)?.remote === undefined && changed !== 'here';
}

/** Describes how a template differs, and where it was changed; empty when both sides are equal. */
function describeStep({ name, fields, changed, path }: SyncStep, { sides }: Sync): string {
  if (changed === null) return '';
  const { local, remote } = sides.get(name) ?? {};
  const words = (!remote ? onlyHere : !local ? onlyThere : onBothSides)[changed];
  const elsewhere = path !== undefined && path !== directoryName(name) ? [`(directory ${path})`] : [];
  return [...(fields.length > 0 ? [`(${fields.join(', ')})`] : []), words, ...elsewhere].join(' ');
}
