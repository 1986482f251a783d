import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pjson from '../../../package.json' with { type: 'json' };
import { writtenPages } from '../../architecture/docs-rules.js';
import { ROOT } from '../../support/cli/binary.js';
import { commandBlocks, type DocBlock, lineForm } from '../../support/cli/doc-blocks.js';
import { type ExampleWorld, openExampleWorld, type Workspace } from '../../support/cli/example-world.js';
import { runInShell, runUntilStopped } from '../../support/cli/shell-runs.js';

const pages = writtenPages();
const blocks = pages.flatMap(({ file, text }) => commandBlocks(file, text));
const tested = blocks.filter(({ untested }) => untested === undefined);

/** Blocks that the tests may leave out, such as those that install packages, run containers or need PostgreSQL. */
/** Six of them generate clients; test/openapi/generated-clients.long.test.ts runs these generators. */
const UNTESTED_MAX = 20;

/** What the shell's completion calls; oclif does not list it. */
const OTHER_COMMANDS = ['completion-values'];

/**
 * Flags of other programs, of oclif, and one that a decision rejects. The second line is of Docker and npm, the third of
 * msmtp, and the others of curl and swaks.
 */
const OTHER_FLAGS = [
  ...['--help', '--version', '--max-old-space-size', '--plain'],
  ...['--build-arg', '--user', '--save-dev', '--global', '--allow-scripts', '--no-git-tag-version', '--system'],
  ...['--account', '--file', '--logfile'],
  ...['--ssl-reqd', '--cacert', '--tls', '--tls-on-connect', '--tls-verify', '--tls-ca-path'],
];

let world: ExampleWorld;

beforeAll(async () => {
  world = await openExampleWorld();
});

afterAll(() => world?.close());

async function runToTheEnd(workspace: Workspace, block: DocBlock): Promise<string> {
  // Root can start a browser only without its sandbox.
  const env = { ...workspace.env, SVC_BROWSER_SANDBOX: '0' };
  const { code, output } = await runInShell('sh', workspace.write(block.commands), { ...workspace, env });

  expect(code, output).toBe(0);
  return output;
}

async function runUntilShown(workspace: Workspace, block: DocBlock): Promise<string> {
  const commands = workspace.write(block.commands).trimEnd().split('\n');
  const last = commands.pop() ?? '';
  // The usual ports may be taken, and the scene's data directory has its server.
  const isServer = /^svc (?:dev|serve)(?: -|$)/.test(last);
  const ports = isServer && !/--(?:http|smtp)-port /.test(last) ? ' --http-port 0 --smtp-port 0' : '';
  const lines = [...commands, `exec ${last}${ports}`].join('\n');
  const env = { ...workspace.env, ...(isServer && { SVC_DATA_DIR: join(workspace.cwd, 'own') }) };
  const shown = block.output.map((line) => lineForm(workspace.write(line)).source).join('[^]*');

  const { code, output } = await runUntilStopped(lines, { cwd: workspace.cwd, env }, new RegExp(shown, 'm'));

  expect([0, 130], output).toContain(code);
  return output;
}

describe('a block of commands in README and docs', () => {
  it.each(tested.map((block) => ({ name: `${block.file}:${block.line}`, block })))('runs: $name', async ({ block }) => {
    const workspace = await world.recreate();

    const output = await (block.runsUntilStopped ? runUntilShown(workspace, block) : runToTheEnd(workspace, block));

    for (const line of block.output) expect(output).toMatch(lineForm(workspace.write(line)));
  });

  it('is tested, with few exceptions', () => {
    const untested = blocks.filter((block) => block.untested !== undefined);

    expect(tested.length).toBeGreaterThan(20);
    expect(untested.length).toBeLessThanOrEqual(UNTESTED_MAX);
    for (const block of untested) expect(block.commands).not.toMatch(/^svc /m);
  });

  it('shows output if it runs until it is stopped', () => {
    expect(blocks.filter(({ runsUntilStopped, output }) => runsUntilStopped && output.length === 0)).toEqual([]);
  });
});

describe('the blocks of a page', () => {
  const blocksOf = (...lines: string[]) => commandBlocks('a.md', `${lines.join('\n')}\n`);

  it('are split into commands and their output', () => {
    const [block] = blocksOf('Run:', '', '```console', '$ svc emails \\', '  list', 'ID   TO', '```');

    expect(block).toMatchObject({ line: 3, commands: 'svc emails \\\n  list\n', output: ['ID   TO'] });
  });

  it.each([
    ['of no language', '```'],
    ['left out without a reason', '```sh untested'],
    ['with an unknown word', '```sh skip'],
    ['of a session without a command', '```console'],
  ])('must not be %s', (_, fence) => {
    expect(() => blocksOf(fence, 'svc emails list', '```')).toThrow('a.md:1: ');
  });

  it('compare output, with … for any text', () => {
    expect('msg_01k9  sent  ada@example.test').toMatch(lineForm('msg_…  sent    ada@example.test'));
    expect('msg_01k9  dropped  ada@example.test').not.toMatch(lineForm('msg_…  sent  ada@example.test'));
  });
});

describe('code within a sentence of README and docs', () => {
  const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, { flags: Record<string, { allowNo?: boolean }> }>;
  };
  const manuals = pages.filter(({ file }) => file === 'README.md' || file.startsWith('docs/'));
  const words = manuals.flatMap(({ file, text }) => {
    const prose = text.replace(/^```.*?^```$/gms, '');
    return Array.from(prose.matchAll(/`([^`]+)`/g), ([, code = '']) => ({ file, code: code.replace(/\s+/g, ' ') }));
  });

  it('names commands that exist', () => {
    const ids = [...Object.keys(commands).map((id) => id.replaceAll(':', ' ')), ...OTHER_COMMANDS];
    const exists = (code: string) => {
      const rest = /\bsvc ([a-z][a-z-]*(?: [a-z-]+)*)/.exec(code)?.[1];
      return (
        rest === undefined || ids.some((id) => rest === id || rest.startsWith(`${id} `) || id.startsWith(`${rest} `))
      );
    };

    expect(words.filter(({ code }) => /^(?:npx )?svc /.test(code) && !exists(code))).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const named = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/\bnpm run ([\w:-]+)/g), ([, name = '']) => name),
    );

    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(name in pjson.scripts))).toEqual([]);
  });

  it('names flags that exist', () => {
    const names = Object.entries(commands).flatMap(([, { flags }]) =>
      Object.entries(flags).flatMap(([name, { allowNo }]) => [`--${name}`, ...(allowNo ? [`--no-${name}`] : [])]),
    );
    const known = new Set([...names, ...OTHER_FLAGS]);

    expect(
      words.flatMap(({ file, code }) =>
        (code.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [])
          .filter((flag) => !known.has(flag))
          .map((flag) => `${file}: ${flag}`),
      ),
    ).toEqual([]);
  });
});
