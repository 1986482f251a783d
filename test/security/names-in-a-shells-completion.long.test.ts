import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINARY, type DevServer, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { offered } from '../support/cli/completion.js';
import { openShell, type ShellName, shellEnvironment } from '../support/cli/terminal/shell.js';
import type { Terminal } from '../support/cli/terminal/terminal.js';
import { skippedWithout } from '../support/cli/tools.js';
import { data } from '../support/servers/server-calls.js';

/**
 * Tests names in completions: anyone who can name a template decides what Tab writes into a shell's command line. A
 * completed word must mean exactly the name, and nothing in it may run.
 */

/** Typed beginnings and names. Every character with a meaning in a shell is in one of them. */
const NAMES = [
  ['aa', 'aa $(touch pwned)`touch pwned`;touch pwned|x&y>z<w(v) #c'],
  ['ab', "ab'; touch pwned #'"],
  ['ac', 'ac"; touch pwned; "'],
  ['ad', 'ad!! !t !$ x!'],
  ['ae', 'ae\\b\\\'"$HOME*?[a-z]{b,c}^d=~root:~ %1 @d\\'],
  ['af', 'af 日本語 é 🎉\u00a0x'],
] as const;
/** Names of which only the beginning is completed at first; the text typed next distinguishes them. */
const PAIRS = [
  ['ba', 'o', 'ba\'"$(touch pwned)\\ one', 'ba\'"$(touch pwned)\\ two'],
  ['bb', '`', 'bb $`touch pwned`', 'bb $"'],
  ['bc', 'o', 'bc!! one', 'bc!! two'],
] as const;
const NEVER_OFFERED = ['-o', '--api-key=x', 'ca\u200b', 'ca\u202e'];

const folder = temporaryDirectory();
const home = folder.path;
const own = { SVC_DATA_DIR: join(home, 'data'), SVC_CONFIG_DIR: join(home, 'profiles') };
const given = join(home, 'given');
let dev: DevServer;

beforeAll(async () => {
  dev = await startDev(['--data-dir', own.SVC_DATA_DIR, '--plan', 'none']);
  for (const name of [...NAMES.map(([, each]) => each), ...PAIRS.flatMap(([, , ...both]) => both), ...NEVER_OFFERED]) {
    const body = JSON.stringify({ name, subject: 'x', html: '<p>x</p>' });
    await data(dev.ready, '/v1/templates', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
});

afterAll(async () => {
  await dev.stop();
  folder.remove();
});

/** The quotes of each shell that a word can begin with. */
const QUOTES: Record<ShellName, string[]> = {
  bash: ['', '"', "'", "$'", '$"'],
  zsh: ['', '"', "'", "$'"],
  fish: ['', '"', "'"],
};

describe.each(['bash', 'zsh', 'fish'] as const)('a name that Tab completes in %s', (shell) => {
  const missing = skippedWithout(shell);
  let terminal: Terminal;

  beforeAll(async () => {
    if (missing) return;
    terminal = await openShell(shell, home, { ...recordingEnvironment(shell), ...own }, { columns: 200 });
  });
  afterAll(() => terminal?.close());

  for (const quote of QUOTES[shell]) {
    it.skipIf(missing)(`is that name in a word that begins with ${quote || 'no quote'}`, async () => {
      const given: Record<string, string[]> = {};
      for (const [typed, name] of NAMES) given[name] = await tab(terminal, `svc templates get ${quote}${typed}`);

      expect(given).toEqual(Object.fromEntries(NAMES.map(([, name]) => [name, ['templates', 'get', name]])));
      expect(readdirSync(home)).not.toContain('pwned');
    });

    it.skipIf(missing)(
      `is that name when more is typed after the part completed with ${quote || 'no quote'}`,
      async () => {
        // In $'…' zsh itself loses a word with an exclamation mark.
        const pairs = PAIRS.filter(([typed]) => !(shell === 'zsh' && quote === "$'" && typed === 'bc'));
        const given: Record<string, string[]> = {};
        for (const [typed, more, name] of pairs) {
          given[name] = await tab(terminal, `svc templates get ${quote}${typed}`, more);
        }

        expect(given).toEqual(Object.fromEntries(pairs.map(([, , name]) => [name, ['templates', 'get', name]])));
        expect(readdirSync(home)).not.toContain('pwned');
      },
    );
  }
});

it('a name that no shell can show, or that svc would treat as a flag, is not offered', async () => {
  const words = ['templates', 'get'];
  const options = { env: own, cwd: home };
  const names = async (typed: string) => (await offered([...words, typed], options)).names.map(({ name }) => name);

  expect(await names('ca')).toEqual([]);
  expect((await names('')).filter((name) => name.startsWith('-'))).toEqual([]);
  expect(await names('aa')).toHaveLength(1);
  // After two dashes it is an argument, even if it looks like a flag.
  const behind = await offered([...words, '--', '--api'], options);
  expect(behind.names.map(({ name }) => name)).toEqual(['--api-key=x']);
});

describe('a file that Tab completes in bash', () => {
  const missing = skippedWithout('bash');
  const FILES = ['da $(touch pwned)', "db';touch pwned;'", 'dc";touch pwned;"'];

  it.skipIf(missing).each(['', '"', "'"])('is that file in a word that begins with %j', async (quote) => {
    const place = join(home, 'files');
    mkdirSync(place, { recursive: true });
    for (const name of FILES) writeFileSync(join(place, name), '{}');
    const terminal = await openShell('bash', home, { ...recordingEnvironment('bash'), ...own }, { columns: 200 });
    try {
      const found: string[] = [];
      for (const name of FILES) {
        for (const start of ['--data @', '-o ']) {
          const flag = start.replace(/[^ ]*$/, '');
          const at = start.slice(flag.length);
          const command = start === '-o ' ? 'svc openapi' : 'svc emails send';
          found.push((await tab(terminal, `${command} ${flag}${quote}${at}files/${name.slice(0, 2)}`)).at(-1) ?? '');
        }
      }
      expect(found).toEqual(FILES.flatMap((name) => [`@files/${name}`, `files/${name}`]));
      expect(readdirSync(home)).not.toContain('pwned');
    } finally {
      await terminal.close();
    }
  });
});

/** Types parts of a line, each with Tab after it; then Enter. Returns the arguments of `svc`. */
async function tab(terminal: Terminal, ...parts: string[]): Promise<string[]> {
  rmSync(given, { force: true });
  for (const part of parts) {
    terminal.type(part);
    terminal.press('Tab');
  }
  terminal.press('Enter');
  const screen = await terminal.until((text) => existsSync(given) || /^more> /m.test(text));
  const words = existsSync(given)
    ? readFileSync(given, 'utf8').split('\0').slice(0, -1)
    : [`not run: ${screen.trim()}`];
  if (!existsSync(given)) terminal.press('C-c');
  terminal.press('C-l');
  await terminal.until(/^ready> *$/m);
  return words;
}

/**
 * Returns an environment in which `svc` completes as usual, and otherwise records its arguments. The same completion
 * is answered by svc once: shells ask for it with each quote.
 */
function recordingEnvironment(shell: ShellName): Record<string, string> {
  const completion = `svc completion ${shell}`;
  const startUp =
    shell === 'fish'
      ? `function fish_prompt; echo -n 'ready> '; end\nfunction fish_greeting; end\n${completion} | source`
      : `PS1='ready> ' PS2='more> '\neval "$(${completion})"`;
  const env = shellEnvironment(home, startUp);
  const script = join(home, 'bin/svc');
  writeFileSync(
    script,
    `#!/bin/sh
case "$1" in completion*)
  answer="${home}/answer-$(printf '%s\\0' "$@" | cksum | tr ' ' -)"
  if [ ! -f "$answer" ]; then
    "${process.execPath}" "${BINARY}" "$@" > "$answer.$$" || exit
    mv "$answer.$$" "$answer"
  fi
  exec cat "$answer" ;;
esac
printf '%s\\0' "$@" > '${given}.new'
mv '${given}.new' '${given}'
`,
  );
  chmodSync(script, 0o755);
  return env;
}
