import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import { nextCommand } from '../command/next-command.js';
import { CommandError } from '../errors/exit-codes.js';
import type { TargetFlags } from '../flags/target.js';
import { oneLine, shellQuote } from '../output/text.js';
import type { Changed, Sync, SyncAction, SyncStep } from './sync.js';
import { directoryName } from './write-directory.js';

/** Formats a plan for templates, one line per step. */

/** Returns a command line to copy: a verb of `svc templates`, for the same directory and server. */
export type SyncCommand = (verb: 'diff' | 'pull' | 'push', steps: readonly SyncStep[], flag?: '--force' | '') => string;

export function syncCommand(directory: string, flags: TargetFlags): SyncCommand {
  return (verb, steps, flag) => {
    const names = steps.map(({ name }) => shellQuote(oneLine(name)));
    return nextCommand(['templates', verb, shellQuote(directory), ...names, ...(flag ? [flag] : [])].join(' '), flags);
  };
}

/** Returns whether both sides of a template are equal. Such steps are counted, not listed. */
function isEqual({ changed }: SyncStep): boolean {
  return changed === null;
}

/** Returns how many templates are equal on both sides; empty without any. */
export function describeEqual(plan: readonly SyncStep[]): string {
  const equal = plan.filter(isEqual).length;
  return equal === 0 ? '' : `${equal} unchanged`;
}

const marks: Record<SyncAction, string> = { create: '+', update: '~', delete: '-', unchanged: ' ', conflict: '!' };

const onBothSides: Record<Changed, string> = {
  here: 'changed locally',
  there: 'changed on the server',
  both: 'changed on both sides',
  unknown: 'differs, no sync record',
};
const onlyHere: Partial<Record<Changed, string>> = {
  here: 'not on the server',
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
    .filter((step) => !isEqual(step))
    .map((step) => `${marks[step.action]} ${[oneLine(step.name), describeStep(step, sync)].join(' ').trimEnd()}\n`)
    .join('');
}

/** Describes what a push or pull did, in the form of the plan. */
export function describeResult(plan: readonly SyncStep[], sync: Sync): string {
  return plan
    .filter((step) => !isEqual(step))
    .map((step) => {
      const { name, action, fields, path } = step;
      if (step.result === 'failed') return `! ${oneLine(name)} failed`;
      if (step.result === 'unconfirmed') return `? ${oneLine(name)} may have been ${done[action as keyof typeof done]}`;
      if (step.result === 'not_attempted') return `  ${oneLine(name)} not attempted`;
      const result =
        action === 'unchanged' || action === 'conflict'
          ? describeStep(step, sync)
          : [done[action], ...inBrackets(fields), ...elsewhere(name, path)].join(' ');
      return `${marks[action]} ${oneLine(name)} ${result}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Describes what a push did, or would do. */
export function describePush(plan: readonly SyncStep[], applied: boolean): string {
  const counts = (Object.keys(done) as (keyof typeof done)[]).flatMap((action) => {
    const count = plan.filter((step) => step.action === action).length;
    if (count === 0) return [];
    return [applied ? `${count} ${done[action]}` : `${action} ${count === 1 ? '1 template' : `${count} templates`}`];
  });
  const equal = describeEqual(plan);
  if (counts.length === 0) return equal === '' ? 'Nothing to push.' : `Nothing to push: ${equal}.`;
  if (equal !== '' && applied) counts.push(equal);
  return applied ? `Pushed: ${counts.join(', ')}.` : `Dry run: nothing was changed. It would ${counts.join(', ')}.`;
}

const done = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/** Returns the error for a push with conflicts, which names each; undefined without conflicts. */
export function refusalOf(plan: readonly SyncStep[], sync: Sync, command: SyncCommand): CommandError | undefined {
  const conflicts = plan.filter(({ action }) => action === 'conflict');
  const [first, ...more] = conflicts.map((step) => ({ path: step.name, message: describeStep(step, sync) }));
  if (!first) return undefined;
  const what = more.length === 0 ? `${first.path} ${first.message}` : `${conflicts.length} templates conflict`;
  return new CommandError(`Not pushed: ${what}. Nothing was changed.`, hintFor(conflicts, sync, command), [
    first,
    ...more,
  ]);
}

/**
 * Returns the advice for conflicts. A pull copies the server's templates, but does not delete those that the server no
 * longer has.
 */
function hintFor(conflicts: readonly SyncStep[], sync: Sync, command: SyncCommand): string {
  const removed = conflicts.filter((step) => isRemovedThere(step, sync));
  const directories = removed.length === 1 ? 'its directory' : 'the directories of templates deleted on the server';
  if (removed.length === conflicts.length)
    return `Delete ${directories} too, or push with --force to recreate ${removed.length === 1 ? 'it' : 'them'}.`;
  // A pull without --force copies templates that only the server changed. Any other change requires --force.
  const force = conflicts.some((step) => !isRemovedThere(step, sync) && step.changed !== 'there') ? '--force' : '';
  const there = conflicts.filter((step) => !isRemovedThere(step, sync));
  const take = `Compare with "${command('diff', conflicts)}". Keep the server’s version with "${command('pull', there, force)}"`;
  const remove = removed.length > 0 ? `, delete ${directories}` : '';
  return `${take}${remove}, or overwrite it with "${command('push', conflicts, '--force')}".`;
}

/** Returns the error for templates that the server would refuse; undefined without any. */
export function refusalOfFiles(errors: readonly ErrorDetail[]): CommandError | undefined {
  const [first, ...more] = errors;
  if (!first) return undefined;
  const what = more.length === 0 ? `${first.path}: ${first.message}` : `the server would refuse ${errors.length} files`;
  return new CommandError(`Not pushed: ${what}. Nothing was changed.`, undefined, more.length === 0 ? [] : errors);
}

/** Returns the warnings about templates that a pull did not change. */
export function warningsFor(plan: readonly SyncStep[], sync: Sync, command: SyncCommand): string[] {
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
      ? [
          `Not overwritten: ${names(conflicts)}. Compare with "${command('diff', conflicts)}". Keep the server’s version with ` +
            `"${command('pull', conflicts, '--force')}", or the local one with "${command('push', conflicts, '--force')}".`,
        ]
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
  return [...inBrackets(fields), words, ...elsewhere(name, path)].join(' ');
}

function inBrackets(fields: readonly string[]): string[] {
  return fields.length > 0 ? [`(${fields.join(', ')})`] : [];
}

/** Returns the directory of a new template if its name differs from the template's. */
function elsewhere(name: string, path: string | undefined): string[] {
  return path !== undefined && path !== directoryName(name) ? [`(directory ${path})`] : [];
}
