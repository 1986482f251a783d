import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDev } from '../../support/cli/binary.js';
import { type ExampleWorld, openExampleWorld, type Workspace } from '../../support/cli/example-world.js';
import { commandsWithExamples, type Expected, expectations, expectedOf } from '../../support/cli/examples.js';
import { runInShell, runUntilStopped } from '../../support/cli/shell-runs.js';
import { skippedWithout } from '../../support/cli/tools.js';

const commands = commandsWithExamples();
const examples = commands.flatMap((command) => command.examples);

let world: ExampleWorld;

beforeAll(async () => {
  world = await openExampleWorld();
});

afterAll(() => world.close());

describe('help', () => {
  it.each(commands)('has an example for $id', ({ id, examples: own }) => {
    const words = `svc ${id.replaceAll(':', ' ')}`;

    expect(own.length).toBeGreaterThan(0);
    for (const { line } of own) expect(line).toContain(words);
  });

  it('has an example for every entry of the table of expectations', () => {
    const used = new Set(examples.map(({ line }) => expectedOf(line)?.[0]));

    expect(Object.keys(expectations).filter((key) => !used.has(key))).toEqual([]);
  });
});

describe('an example, as help shows it', () => {
  for (const { id, line } of examples) {
    const expected: Expected = expectedOf(line)?.[1] ?? { prints: /\S/ };
    const { shell = 'sh' } = expected;
    const skipped = skippedWithout(shell);

    it.skipIf(skipped)(`${line}${skipped}`, async () => {
      const workspace = await world.recreate(expected.without);
      if (expected.stopCode !== undefined) return runUntilReady(id, workspace, line, expected);
      const own = id === 'dev:stop' ? await startDev(['--data-dir', join(workspace.cwd, 'own')]) : undefined;
      const env = { ...workspace.env, ...(own && { SVC_DATA_DIR: join(workspace.cwd, 'own') }), ...expected.env };

      const { code, output } = await runInShell(
        shell,
        [expected.before, workspace.write(line), expected.afterwards].filter(Boolean).join('\n'),
        {
          cwd: workspace.cwd,
          env,
        },
      );

      expect(output).toMatch(expected.prints);
      expect(expected.codes ?? [0], output).toContain(code);
    });
  }
});

async function runUntilReady(id: string, workspace: Workspace, line: string, expected: Expected): Promise<void> {
  // Other processes may use the default ports, and the data directory has its server.
  const isServer = id === 'dev' || id === 'serve';
  const more = isServer && !line.includes('-port') ? ' --http-port 0 --smtp-port 0' : '';
  const own = isServer && { SVC_DATA_DIR: join(workspace.cwd, 'own') };
  const env = { ...workspace.env, ...expected.env, ...own };

  const { code, output } = await runUntilStopped(
    `exec ${workspace.write(line)}${more}`,
    { cwd: workspace.cwd, env },
    expected.prints,
  );

  expect(output).toMatch(expected.prints);
  expect(code).toBe(expected.stopCode);
}
