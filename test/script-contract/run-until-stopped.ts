import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { start } from '../support/cli/binary.js';
import type { CommandSpec } from './command-spec.js';
import { expectNoControlCharacters, parseOneDocument } from './expectations.js';
import type { Fixture } from './fixture.js';

/** Runs a command that only a signal ends: waits for its start, triggers one line, and stops it. */
export async function runUntilStopped(
  spec: CommandSpec,
  fixture: Fixture,
  env: Record<string, string>,
  { json, signal }: { json: boolean; signal: 'SIGINT' | 'SIGTERM' | 'reader gone' },
): Promise<void> {
  const { longRunning } = spec;
  if (!longRunning) throw new Error(`svc ${spec.command} ends by itself`);
  const args = [...spec.command.split(' '), ...(json ? ['--json'] : []), ...((await spec.args?.(fixture)) ?? [])];
  const child = start(args, { binary: fixture.shared.binary, cwd: fixture.folder, env: { ...env, NO_COLOR: '1' } });
  const exited = once(child, 'exit');
  let stderr = '';
  const said = new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
      // It reports which server it uses before it sends any request.
      if (/^(?!Using ).*\n/m.test(stderr)) resolve();
    });
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`svc ${spec.command} ended: ${stderr}`);
    return `${value}\n`;
  };
  const begun = longRunning.readyOn === 'stdout' ? nextLine() : said;
  await Promise.race([begun, exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${stderr}`)))]);
  if (signal === 'reader gone') {
    child.stdout?.destroy();
    await longRunning.trigger(fixture);
    if (longRunning.outlivesReader) child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(stderr.split('\n').filter((line) => line !== '').length).toBe(longRunning.readyOn === 'stderr' ? 1 : 0);
    return;
  }
  await longRunning.trigger(fixture);
  const line = await nextLine();
  if (json) expect(parseOneDocument(line)).toBeTypeOf('object');
  child.kill(signal);
  expect(await exited, stderr).toEqual([longRunning.exits[signal], null]);
  expectNoControlCharacters(line + stderr);
}
