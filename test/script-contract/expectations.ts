import { expect } from 'vitest';
import type { Finished } from '../support/cli/binary.js';

/** What holds for the output of every run. */

/** Keys and secrets that no failing run may show. Each is only in what the run was given. */
export const WRONG_KEY = 'svc_test_wrong_5tWpQ7';
export const STRAY_SECRET = 'svc_live_stray_8kZr2m';

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour is made of it
const COLOUR = /\u001b\[[\d;]*m/g;

/** Colours that svc chose itself may be there when they were asked for. */
export function expectNoControlCharacters(output: string, { colours = false } = {}): void {
  expect(colours ? output.replace(COLOUR, '') : output).not.toMatch(CONTROL);
}

/** One JSON document on one line, safe to look at. */
// biome-ignore lint/suspicious/noExplicitAny: whatever is printed
export function parseOneDocument(stdout: string): any {
  expectNoControlCharacters(stdout);
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

/** A run that did not do what it was asked, as a person sees it and as a script does. */
export function expectFailure(human: Finished, machine: Finished, code: number, secrets: readonly string[]): void {
  expectReportedFailure(human, code, secrets);
  expectPrintedFailure(machine, code, secrets);
}

/** A failure as a person sees it. */
export function expectReportedFailure(human: Finished, code: number, secrets: readonly string[]): void {
  expect({ code: human.code, stdout: human.stdout }, human.stderr).toEqual({ code, stdout: '' });
  expect(human.stderr).toMatch(/^Error: /m);
  expect(human.stderr).not.toMatch(/^\s+at /m);
  expectNoControlCharacters(human.stderr);
  for (const secret of secrets) expect(human.stderr).not.toContain(secret);
}

/** A failure as --json has it. */
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
