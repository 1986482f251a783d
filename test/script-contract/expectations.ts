import { expect } from 'vitest';
import type { Finished } from '../support/cli/binary.js';

/** Checks what is true of the output of every run. */

/** Keys and secrets that no failing run may show. Each is only in the input of the run. */
export const WRONG_KEY = 'svc_test_wrong_5tWpQ7';
export const STRAY_SECRET = 'svc_live_stray_8kZr2m';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control sequences
const COLOUR = /\u001b\[[\d;]*m/g;

/** Expects no control characters. svc's own colours are allowed when they were requested. */
export function expectNoControlCharacters(output: string, { colours = false } = {}): void {
  expect(colours ? output.replace(COLOUR, '') : output).not.toMatch(CONTROL);
}

/** Parses one JSON document on one line, without control characters. */
// biome-ignore lint/suspicious/noExplicitAny: whatever is printed
export function parseOneDocument(stdout: string): any {
  expectNoControlCharacters(stdout);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

/** Expects a failed run, as a person sees it and as a script does. */
export function expectFailure(human: Finished, machine: Finished, code: number, secrets: readonly string[]): void {
  expectReportedFailure(human, code, secrets);
  expectPrintedFailure(machine, code, secrets);
}

/** Expects a failure as a person sees it. */
export function expectReportedFailure(human: Finished, code: number, secrets: readonly string[], stdout = ''): void {
  expect({ code: human.code, stdout: human.stdout }, human.stderr).toEqual({ code, stdout });
  expect(human.stderr).toMatch(/^Error: /m);
  expect(human.stderr).not.toMatch(/^\s+at /m);
  expectNoControlCharacters(human.stderr);
  for (const secret of secrets) expect(human.stderr).not.toContain(secret);
}

/** Expects a failure as --json prints it. */
export function expectPrintedFailure(machine: Finished, code: number, secrets: readonly string[]): void {
  expect({ code: machine.code, stdout: machine.stdout }, machine.stderr).toEqual({ code, stdout: '' });
  const { error, ...rest } = parseOneDocument(machine.stderr);
  expect(rest).toEqual({});
  expect(error).toMatchObject({ code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/./) });
  expect(error).toMatchObject({ details: expect.any(Array), hint: error.hint && expect.any(String) });
  expect([null, expect.any(Number)]).toContainEqual(error.status);
  if (code === 2) expect(error).toMatchObject({ code: 'usage_error', status: null });

  for (const secret of secrets) expect(machine.stderr).not.toContain(secret);
}
