import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finished } from '../support/binary.js';
import {
  expectFailure,
  expectNoControlCharacters,
  expectPrintedFailure,
  expectToldFailure,
  parseOneDocument,
  STRAY_SECRET,
  WRONG_KEY,
} from './expectations.js';
import { goOn } from './going-on.js';
import { isStrict, needsArguments, readCommands } from './manifest.js';
import type { Row } from './row.js';
import { rows } from './rows/index.js';
import { Stage } from './stage.js';
import { closeSurroundings, openSurroundings, type Surroundings } from './surroundings.js';

/** What a script can rely on, of every command of the package as it is installed. */

const NOWHERE = 'http://127.0.0.1:1/v1';

const commands = readCommands();
/** The row that stands for each command: its first. */
const firsts = [...new Map([...rows].reverse().map((row) => [row.command, row])).values()];
const callsServer = ({ calls }: Row) => calls === 'service' || calls === 'control';
const wordsOf = ({ command }: Row) => command.split(' ');
/** Without what a row prints although its call failed. */
const withoutFinding = ({ findsWhy }: Row, run: Finished) => (findsWhy ? { ...run, stdout: '' } : run);
const commandOf = ({ command }: Row) => commands.get(command)!;

/** A test for each of the rows that `which` picks. */
function forEach(which: readonly Row[], test: (row: Row) => Promise<void>): void {
  it.each(which.map((row) => [`svc ${row.command}${row.when ? ` ${row.when}` : ''}`, row] as const))('%s', (_, row) =>
    test(row),
  );
}

it('every command has a row, and every row a command', () => {
  expect(firsts.map(({ command }) => command).sort()).toEqual([...commands.keys()].sort());
});

it('a command needs a local server in its help if, and only if, it calls the control API', () => {
  const needing = firsts.filter((row) => commandOf(row).needs !== undefined);
  expect(needing).toEqual(firsts.filter(({ calls }) => calls === 'control'));
});

describe('every command', () => {
  let around: Surroundings;

  beforeAll(async () => {
    around = await openSurroundings();
  });

  afterAll(() => closeSurroundings(around));

  /** Where a run of the row can work. */
  async function setUp(row: Row, { alone = row.alone ?? false } = {}): Promise<Stage> {
    const options = { hostile: row.trusts === undefined };
    const stage = new Stage(around, (row.calls === 'service' ? around.remote : around.local).ready, options);
    if (row.calls === 'nothing') return stage;
    if (alone) {
      const place = callsServer(row) ? ['--in-memory'] : ['--data-dir', stage.dataDir];
      const own = new Stage(around, (await around.startServer(place)).ready, options);
      own.dataDir = stage.dataDir;
      return own;
    }
    if (!callsServer(row)) stage.dataDir = around.local.ready.data_dir ?? '';
    return stage;
  }

  const envOf = (row: Row, stage: Stage) => (callsServer(row) ? stage.remoteEnv : stage.env);

  /** Runs a row as it works. */
  async function run(row: Row, flags: string[], env: Record<string, string>): Promise<Finished & { stage: Stage }> {
    const stage = await setUp(row);
    const args = [...wordsOf(row), ...flags, ...((await row.args?.(stage)) ?? [])];
    return { ...(await stage.run(args, { ...envOf(row, stage), ...env }, row.input)), stage };
  }

  /** Runs it as a person would and as a script would, or as one of them, on a stage that neither can change. */
  async function refuse(row: Row, args: string[], code: number, { by = 'both' } = {}): Promise<void> {
    const stage = await setUp(row, { alone: false });
    const once = (flags: string[]) => stage.run([...wordsOf(row), ...flags, ...args], envOf(row, stage), row.input);
    if (by !== 'script') expectToldFailure(await once([]), code, around.secrets);
    if (by !== 'person') expectPrintedFailure(await once(['--json']), code, around.secrets);
  }

  const ending = rows.filter((row) => !row.runsOn);
  const firstEnding = firsts.filter((row) => !row.runsOn);
  const goingOn = rows.filter((row) => row.runsOn);
  const calling = firsts.filter(callsServer);

  describe.concurrent('prints the response’s data on stdout with --json, and nothing on stderr', () => {
    forEach(ending, async (row) => {
      const { code, stdout, stderr, stage } = await run(row, ['--json'], { FORCE_COLOR: '1' });

      expect({ code, stderr }, stdout).toEqual({ code: row.code ?? 0, stderr: '' });
      if (row.content === 'with --json too') return;
      const { answered } = stage;
      expect(parseOneDocument(stdout)).toEqual(row.prints ? row.prints(stage, answered) : answered.at(-1)?.data);
    });
  });

  describe.concurrent('prints no control characters of a mail or a server, no prompt and no frame', () => {
    forEach(ending, async (row) => {
      const still = { NO_COLOR: '1', CI: '1', TERM: 'dumb' };
      const { code, stdout, stderr } = await run(row, row.content ? [] : ['--no-input'], still);

      expect(code, stderr).toBe(row.code ?? 0);
      expectNoControlCharacters(stderr);
      if (!row.content) expectNoControlCharacters(stdout);
    });
  });

  describe.concurrent('prints none but its own colours with FORCE_COLOR', () => {
    const shows = ({ command }: Row) => /(analytics|list|get|show|verify|diff|deliveries)$/.test(command);
    forEach(firstEnding.filter(shows), async (row) => {
      const { code, stdout, stderr } = await run(row, [], { FORCE_COLOR: '1', TERM: 'xterm-256color' });

      expect(code, stderr).toBe(row.code ?? 0);
      expectNoControlCharacters(stdout + stderr, { colours: true });
    });
  });

  describe.concurrent('ends without a word when its reader is gone', () => {
    const sharing = firstEnding.filter(({ alone, calls }) => !alone && calls !== 'control');
    forEach(sharing, async (row) => {
      const stage = await setUp(row);
      const args = [...wordsOf(row), '--json', ...((await row.args?.(stage)) ?? [])];

      expect(await stage.runUnread(args, envOf(row, stage), row.input)).toEqual({ code: row.code ?? 0, stderr: '' });
    });
  });

  describe.concurrent('prints an object a line until it is stopped, and ends as its signal says', () => {
    forEach(goingOn, async (row) => {
      const asScript = await setUp(row);
      await goOn(row, asScript, envOf(row, asScript), { json: true, signal: 'SIGINT' });
      const asPerson = await setUp(row);
      await goOn(row, asPerson, envOf(row, asPerson), { json: false, signal: 'SIGTERM' });
    });
  });

  describe.concurrent('goes on until it is stopped, and without a word when its reader is gone', () => {
    forEach(goingOn, async (row) => {
      const stage = await setUp(row);
      await goOn(row, stage, envOf(row, stage), { json: true, signal: 'reader gone' });
    });
  });

  // Whoever reads the command line treats every mistake in it alike: each command makes one as a person, others as a script.
  describe.concurrent('refuses an unknown flag with 2, and does not tell what it was given', () => {
    forEach(firsts, (row) => refuse(row, [`--bogus=${STRAY_SECRET}`], 2, { by: row.wrong ? 'person' : 'script' }));
  });

  describe.concurrent('refuses a missing argument or flag with 2', () => {
    forEach(
      firsts.filter((row) => needsArguments(commandOf(row))),
      (row) => refuse(row, [], 2),
    );
  });

  describe.concurrent('refuses a wrong value with 2', () => {
    const some = (row: Row) => Object.keys(commandOf(row).args).map(() => 'x');
    forEach(
      firsts.filter((row) => callsServer(row) || row.wrong),
      (row) =>
        refuse(row, row.wrong ?? [...some(row), '--timeout', STRAY_SECRET], 2, { by: row.wrong ? 'both' : 'person' }),
    );
  });

  describe.concurrent('refuses what is one argument too many with 2', () => {
    // Commands without arguments are all alike here, and so are those with one.
    const alike = new Map(
      firsts.filter((row) => isStrict(commandOf(row))).map((row) => [Object.keys(commandOf(row).args).length, row]),
    );
    forEach([...alike.values()], (row) => refuse(row, ['x', 'x', 'x', STRAY_SECRET], 2));
  });

  describe.concurrent('ends with 5 when its server is not there', () => {
    forEach(calling, async (row) => {
      const stage = await setUp(row, { alone: false });
      const args = (await row.args?.(stage)) ?? [];
      stage.writeProfile('nowhere', NOWHERE, WRONG_KEY);
      const named = ['--base-url', NOWHERE, '--api-key', WRONG_KEY];

      const human = await stage.run([...wordsOf(row), ...args], stage.env, row.input);
      const machine = await stage.run([...wordsOf(row), '--json', ...named, ...args], stage.env);

      if (row.findsWhy) {
        expect(human.stdout).toMatch(/^because +profile nowhere .*\n(.*\n)*works +unknown$/m);
        expect(parseOneDocument(machine.stdout)).toMatchObject({ why: '--base-url', key_works: null });
      }
      expectFailure(withoutFinding(row, human), withoutFinding(row, machine), 5, around.secrets);
    });
    forEach(
      firsts.filter(({ calls }) => calls === 'running server'),
      (row) => refuse({ ...row, calls: 'nothing' }, [], 5),
    );
  });

  describe.concurrent('ends with 4 when its key is wrong, and does not tell the key', () => {
    forEach(calling, async (row) => {
      const stage = await setUp(row, { alone: false });
      const args = (await row.args?.(stage)) ?? [];
      stage.writeProfile('wrong', stage.passage.baseUrl, WRONG_KEY);

      const human = await stage.run([...wordsOf(row), '--api-key', WRONG_KEY, ...args], stage.remoteEnv, row.input);
      const machine = await stage.run([...wordsOf(row), '--json', ...args], stage.env);

      if (row.findsWhy) {
        expect(human.stdout).toMatch(/^works +no$/m);
        expect(parseOneDocument(machine.stdout)).toMatchObject({ key_works: false });
        for (const run of [human, machine]) expect(run.stdout).not.toContain(WRONG_KEY);
      }
      expectFailure(withoutFinding(row, human), withoutFinding(row, machine), 4, around.secrets);
    });
  });

  describe.concurrent('ends with 1 when what it names is not there or is refused', () => {
    forEach(
      firsts.filter((row) => row.unknown),
      (row) => refuse(row, row.unknown ?? [], 1),
    );
  });

  describe.concurrent('changes nothing on a remote server without --yes when nobody can be asked', () => {
    forEach(
      firsts.filter((row) => 'yes' in commandOf(row).flags && !row.asksForAFlag),
      async (row) => {
        const stage = await setUp(row, { alone: false });
        const args = ((await row.args?.(stage)) ?? []).filter((arg) => arg !== '--yes');

        const human = await stage.run([...wordsOf(row), ...args], stage.remoteEnv);
        const machine = await stage.run([...wordsOf(row), '--json', ...args], stage.remoteEnv);

        expectFailure(human, machine, 2, around.secrets);
        expect(human.stderr).toContain('--yes');
        expect(stage.answered.filter(({ method }) => method !== 'GET')).toEqual([]);
      },
    );
  });

  describe.concurrent('says that it needs the control API, with 2, where there is none, and tries nothing', () => {
    forEach(
      rows.filter(({ calls }) => calls === 'control'),
      async (row) => {
        const stage = new Stage(around, around.remote.ready);
        const elsewhere = new Stage(around, around.local.ready);
        // What a server without the control API cannot make is named all the same.
        const args = await (async () => row.args?.(stage))().catch(() => row.args?.(elsewhere));

        const human = await stage.run([...wordsOf(row), ...(args ?? [])], stage.remoteEnv);
        const machine = await stage.run([...wordsOf(row), '--json', ...(args ?? [])], stage.remoteEnv);

        expectFailure(human, machine, 2, around.secrets);
        const { baseUrl } = stage.passage;
        // Where a flag alone needs it, that is named.
        expect(human.stderr.replace(/ --\w+" needs/, '" needs')).toContain(
          `"svc ${row.command}" needs the control API, which is disabled on ${baseUrl} (--no-control).`,
        );
        expect(human.stderr).toContain('Restart the server without --no-control');
        expect(new Set(stage.answered.map(({ path }) => path))).toEqual(new Set(['/_svc/health']));
      },
    );
  });
});
