import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { start } from '../support/binary.js';
import { expectNoControlCharacters, parseOneDocument } from './expectations.js';
import type { Row } from './row.js';
import type { Stage } from './stage.js';

/** Runs what only a signal ends: until it has begun, through one thing that happens, to its end. */
export async function goOn(
  row: Row,
  stage: Stage,
  env: Record<string, string>,
  { json, signal }: { json: boolean; signal: 'SIGINT' | 'SIGTERM' | 'reader gone' },
): Promise<void> {
  const { runsOn } = row;
  if (!runsOn) throw new Error(`svc ${row.command} ends by itself`);
  const args = [...row.command.split(' '), ...(json ? ['--json'] : []), ...((await row.args?.(stage)) ?? [])];
  const child = start(args, { binary: stage.around.binary, cwd: stage.folder, env: { ...env, NO_COLOR: '1' } });
  const exited = once(child, 'exit');
  let stderr = '';
  const said = new Promise<void>((resolve) => {
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
      // Which server it uses is said before anything is asked of it.
      if (/^(?!Using ).*\n/m.test(stderr)) resolve();
    });
  });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`svc ${row.command} ended: ${stderr}`);
    return `${value}\n`;
  };
  const begun = runsOn.readyOn === 'stdout' ? nextLine() : said;
  await Promise.race([begun, exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${stderr}`)))]);
  if (signal === 'reader gone') {
    child.stdout?.destroy();
    await runsOn.happening(stage);
    if (runsOn.outlivesReader) child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(stderr.split('\n').filter((line) => line !== '').length).toBe(runsOn.readyOn === 'stderr' ? 1 : 0);
    return;
  }
  await runsOn.happening(stage);
  const line = await nextLine();
  if (json) expect(parseOneDocument(line)).toBeTypeOf('object');
  child.kill(signal);
  expect(await exited, stderr).toEqual([runsOn.exits[signal], null]);
  expectNoControlCharacters(line + stderr);
}
