import { expect } from 'vitest';
import type { Finished } from './binary.js';

/**
 * A command line that is refused, and the message that a person gets. Its --json form is derived from the same entry.
 */
export interface Refusal {
  args: string[];
  env?: Record<string, string>;
  code: number;
  message: RegExp;
  error?: Record<string, unknown>;
}

/** Runs the command line with and without --json, and checks both errors. */
export async function expectRefusal(
  run: (args: string[], env?: Record<string, string>) => Promise<Finished>,
  refusal: Refusal,
): Promise<void> {
  const human = await run(refusal.args, refusal.env);
  expect({ code: human.code, stdout: human.stdout }).toEqual({ code: refusal.code, stdout: '' });
  expect(human.stderr).toMatch(refusal.message);
  expect(human.stderr).toMatch(/^(Using \S+\n)?Error: /);
  expect(human.stderr).not.toMatch(/^\s+at /m);

  const machine = await run([...refusal.args, '--json'], refusal.env);
  expect({ code: machine.code, stdout: machine.stdout }).toEqual({ code: refusal.code, stdout: '' });
  const { error, ...rest } = JSON.parse(machine.stderr);
  expect(rest).toEqual({});
  expect(error).toMatchObject({ message: expect.any(String), details: expect.any(Array), ...refusal.error });
  expect(Object.keys(error)).toEqual(expect.arrayContaining(['code', 'message', 'status', 'details', 'hint']));
  if (refusal.code === 2) expect(error.code).toBe('usage_error');
}

/** Runs a command with a wrong name, with and without --json, and checks only the hint. */
export async function expectHint(
  run: (args: string[]) => Promise<Finished>,
  args: string[],
  code: number,
  hint: string,
): Promise<void> {
  const human = await run(args);
  expect(human, human.stderr).toMatchObject({ code, stdout: '' });
  expect(hintOf(human.stderr)).toEqual(hint);

  const machine = await run([...args, '--json']);
  expect(machine).toMatchObject({ code, stdout: '' });
  expect(JSON.parse(machine.stderr).error).toMatchObject({ hint, ...(code === 2 && { code: 'usage_error' }) });
}

/** Returns the line after an error and its details. */
export function hintOf(stderr: string): string {
  return /^Error: .*\n(?: .*\n)*(.*)$/m.exec(stderr)?.[1] ?? '';
}
