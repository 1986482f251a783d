import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { type Finished, ROOT } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';
import type { CommandSpec } from './command-spec.js';
import { firstSpecs as firsts, specs } from './commands/index.js';
import {
  expectFailure,
  expectNoControlCharacters,
  expectPrintedFailure,
  expectReportedFailure,
  parseOneDocument,
  STRAY_SECRET,
  WRONG_KEY,
} from './expectations.js';
import { Fixture } from './fixture.js';
import { type CommandOf, isStrict, needsArguments, readCommands } from './manifest.js';
import { runUntilStopped } from './run-until-stopped.js';
import { closeSharedFixture, openSharedFixture, type SharedFixture } from './shared-fixture.js';

/**
 * Tests what a script can rely on, for every command. What shows colours, streams content or is piped runs from the
 * installed package.
 */

const NOWHERE = 'http://127.0.0.1:1/v1';

const commands = readCommands();
const withoutJq = skippedWithout('jq');
/** The jq filters of docs/scripting.md by command; empty for one that does not end. */
const filters = new Map(
  [...readFileSync(join(ROOT, 'docs/scripting.md'), 'utf8').matchAll(/^\| `([a-z -]+)` \| (?:`(.+?)`|–) \| /gm)].map(
    ([, command = '', filter = '']) => [command, filter],
  ),
);
/** An attempt without a response has no status. */
const NULLABLE = '.attempts[].status';
/** It calls the server of a profile, whatever the flags and variables name: test/cli/variants tests it. */
const WITHOUT_ROW = ['profiles check'];
/** Every command accepts --yes. Those that ask show it in their help. */
const asks = ({ flags }: CommandOf) => flags.yes !== undefined && !flags.yes.hidden;
const callsServer = ({ calls }: CommandSpec) => calls === 'service' || calls === 'control';
const wordsOf = ({ command }: CommandSpec) => command.split(' ');
/** Removes what a row prints although its call failed. */
const withoutFinding = ({ explainsFailure }: CommandSpec, run: Finished) =>
  explainsFailure ? { ...run, stdout: '' } : run;
const commandOf = ({ command }: CommandSpec) => commands.get(command)!;

/** Defines a test for each of the rows that `which` selects. */
function forEach(
  which: readonly CommandSpec[],
  test: (spec: CommandSpec, context: TestContext) => Promise<void>,
): void {
  it.for(which.map((spec) => [`svc ${spec.command}${spec.when ? ` ${spec.when}` : ''}`, spec] as const))(
    '%s',
    ([, spec], context) => test(spec, context),
  );
}

it('every command has a row, and every row a command', () => {
  expect([...firsts.map(({ command }) => command), ...WITHOUT_ROW].sort()).toEqual([...commands.keys()].sort());
});

it('every command is in the table of docs/scripting.md', () => {
  expect([...filters.keys()]).toEqual([...commands.keys()].sort());
});

it('a command needs a local server in its help if, and only if, it calls the control API', () => {
  const needing = firsts.filter((spec) => commandOf(spec).needs !== undefined);
  expect(needing).toEqual(firsts.filter(({ calls }) => calls === 'control'));
});

describe('every command', () => {
  let shared: SharedFixture;

  beforeAll(async () => {
    shared = await openSharedFixture();
  });

  afterAll(() => closeSharedFixture(shared));

  /** Prepares the fixture that a row runs in. */
  async function setUp(spec: CommandSpec, { alone = spec.alone ?? false } = {}): Promise<Fixture> {
    const options = { hostile: spec.controlCharactersExemption === undefined };
    const fixture = new Fixture(shared, (spec.calls === 'service' ? shared.remote : shared.local).ready, options);
    if (spec.calls === 'nothing') return fixture;
    if (alone) {
      const place = callsServer(spec) ? ['--in-memory'] : ['--data-dir', fixture.dataDir];
      const own = new Fixture(shared, (await shared.startServer(place)).ready, options);
      own.dataDir = fixture.dataDir;
      return own;
    }
    if (!callsServer(spec)) fixture.dataDir = shared.local.ready.data_dir ?? '';
    return fixture;
  }

  const envOf = (spec: CommandSpec, fixture: Fixture) => (callsServer(spec) ? fixture.remoteEnv : fixture.env);

  /** Runs a row so that it succeeds. */
  async function run(
    spec: CommandSpec,
    flags: string[],
    env: Record<string, string>,
  ): Promise<Finished & { fixture: Fixture }> {
    const fixture = await setUp(spec);
    const args = [...wordsOf(spec), ...flags, ...((await spec.args?.(fixture)) ?? [])];
    return { ...(await fixture.run(args, { ...envOf(spec, fixture), ...env }, spec.input)), fixture };
  }

  /** Runs a row so that it succeeds, in this process unless it passes its streams on. */
  async function runHere(spec: CommandSpec, flags: string[]): Promise<Finished & { fixture: Fixture }> {
    if (spec.content || spec.command === 'sendmail') return run(spec, flags, { NO_COLOR: '1', CI: '1', TERM: 'dumb' });
    const fixture = await setUp(spec);
    const args = [...wordsOf(spec), ...flags, ...((await spec.args?.(fixture)) ?? [])];
    return { ...(await fixture.runInTurn(args, envOf(spec, fixture), spec.input)), fixture };
  }

  /** Runs it as a person would and as a script would, or as one of them, in a fixture that neither can change. */
  async function refuse(spec: CommandSpec, args: string[], code: number, { by = 'both' } = {}): Promise<void> {
    const fixture = await setUp(spec, { alone: false });
    const once = (flags: string[]) =>
      fixture.runInTurn([...wordsOf(spec), ...flags, ...args], envOf(spec, fixture), spec.input);
    if (by !== 'script') {
      const stdout = code === 5 ? spec.unreachable : undefined;
      expectReportedFailure(await once([]), code, shared.secrets, stdout);
    }
    if (by !== 'person') expectPrintedFailure(await once(['--json']), code, shared.secrets);
  }

  const ending = specs.filter((spec) => !spec.longRunning);
  const firstEnding = firsts.filter((spec) => !spec.longRunning);
  const longRunning = specs.filter((spec) => spec.longRunning);
  const calling = firsts.filter(callsServer);

  describe.concurrent('prints the response’s data on stdout with --json, and nothing on stderr', () => {
    forEach(ending, async (spec, context) => {
      const { code, stdout, stderr, fixture } = await runHere(spec, ['--json']);

      expect({ code, stderr }, stdout).toEqual({ code: spec.code ?? 0, stderr: '' });
      if (spec.content === 'with --json too') return;
      const { answered } = fixture;
      expect(parseOneDocument(stdout)).toEqual(spec.prints ? spec.prints(fixture, answered) : answered.at(-1)?.data);
      const filter = filters.get(spec.command);
      if (spec.when || !filter) return;
      context.skip(withoutJq !== '', withoutJq);
      const jq = spawnSync('jq', ['-r', filter], { input: stdout, encoding: 'utf8' });
      expect({ filter, status: jq.status, stderr: jq.stderr }).toEqual({ filter, status: 0, stderr: '' });
      if (filter !== NULLABLE) expect(jq.stdout, filter).not.toMatch(/^null$/m);
    });
  });

  describe.concurrent('prints no control characters of an email or a server, no prompt and no frame', () => {
    forEach(ending, async (spec) => {
      const { code, stdout, stderr } = await runHere(spec, spec.content ? [] : ['--no-input']);

      expect(code, stderr).toBe(spec.code ?? 0);
      expectNoControlCharacters(stderr);
      if (!spec.content) expectNoControlCharacters(stdout);
    });
  });

  describe.concurrent('prints only its own colours with FORCE_COLOR, and none with --json', () => {
    const shows = ({ command }: CommandSpec) => /(analytics|list|get|show|verify|diff|deliveries)$/.test(command);
    const showing = firstEnding.filter(shows);
    forEach(showing, async (spec) => {
      const { code, stdout, stderr } = await run(spec, [], { FORCE_COLOR: '1', TERM: 'xterm-256color' });

      expect(code, stderr).toBe(spec.code ?? 0);
      expectNoControlCharacters(stdout + stderr, { colours: true });
      // One of each kind stands for the others, which print JSON in the same way.
      if (spec !== showing.find(({ calls, content }) => calls === spec.calls && !content)) return;
      const inJson = await run(spec, ['--json'], { FORCE_COLOR: '1', TERM: 'xterm-256color' });
      expectNoControlCharacters(inJson.stdout + inJson.stderr);
    });
  });

  describe.concurrent('exits silently when its reader closes the pipe', () => {
    // Commands that call a server print alike with --json: the lists stand for them.
    const stands = ({ calls, command }: CommandSpec) => calls !== 'service' || command.endsWith(' list');
    const sharing = firstEnding.filter((spec) => !spec.alone && spec.calls !== 'control' && stands(spec));
    forEach(sharing, async (spec) => {
      const fixture = await setUp(spec);
      const args = [...wordsOf(spec), '--json', ...((await spec.args?.(fixture)) ?? [])];

      expect(await fixture.runUnread(args, envOf(spec, fixture), spec.input)).toEqual({
        code: spec.code ?? 0,
        stderr: '',
      });
    });
  });

  describe.concurrent('prints one object per line until it is stopped, and exits as its signal requires', () => {
    forEach(longRunning, async (spec) => {
      const asScript = await setUp(spec);
      await runUntilStopped(spec, asScript, envOf(spec, asScript), { json: true, signal: 'SIGINT' });
      const asPerson = await setUp(spec);
      await runUntilStopped(spec, asPerson, envOf(spec, asPerson), { json: false, signal: 'SIGTERM' });
    });
  });

  describe.concurrent('runs until it is stopped, and exits silently when its reader closes the pipe', () => {
    forEach(longRunning, async (spec) => {
      const fixture = await setUp(spec);
      await runUntilStopped(spec, fixture, envOf(spec, fixture), { json: true, signal: 'reader gone' });
    });
  });

  // Command-line parsing treats every mistake alike: each command makes one as a person, others as a script.
  describe.concurrent('refuses an unknown flag with 2, without repeating its value', () => {
    forEach(firsts, (spec) =>
      refuse(spec, [`--bogus=${STRAY_SECRET}`], spec.usageCode ?? 2, { by: spec.wrong ? 'person' : 'script' }),
    );
  });

  describe.concurrent('refuses a missing argument or flag with 2', () => {
    forEach(
      firsts.filter((spec) => needsArguments(commandOf(spec))),
      (spec) => refuse(spec, [], 2),
    );
  });

  describe.concurrent('refuses a wrong value with 2', () => {
    const some = (spec: CommandSpec) => Object.keys(commandOf(spec).args).map(() => 'x');
    forEach(
      firsts.filter((spec) => callsServer(spec) || spec.wrong),
      (spec) =>
        refuse(spec, spec.wrong ?? [...some(spec), '--timeout', STRAY_SECRET], spec.usageCode ?? 2, {
          by: spec.wrong ? 'both' : 'person',
        }),
    );
  });

  describe.concurrent('refuses one argument too many with 2', () => {
    // All commands without arguments are alike here, and so are those with one.
    const equal = new Map(
      firsts
        .filter((spec) => isStrict(commandOf(spec)))
        .map((spec) => [Object.keys(commandOf(spec).args).length, spec]),
    );
    forEach([...equal.values()], (spec) => refuse(spec, ['x', 'x', 'x', STRAY_SECRET], 2));
  });

  describe.concurrent('exits with 5 when its server is unreachable', () => {
    forEach(calling, async (spec) => {
      const fixture = await setUp(spec, { alone: false });
      const args = (await spec.args?.(fixture)) ?? [];
      fixture.writeProfile('nowhere', NOWHERE, WRONG_KEY);
      const named = ['--base-url', NOWHERE, '--api-key', WRONG_KEY];

      const human = await fixture.runInTurn([...wordsOf(spec), ...args], fixture.env, spec.input);
      const machine = await fixture.runInTurn([...wordsOf(spec), '--json', ...named, ...args], fixture.env);

      if (spec.explainsFailure) {
        expect(human.stdout).toMatch(/^because +profile nowhere .*\n(.*\n)*works +unknown$/m);
        expect(parseOneDocument(machine.stdout)).toMatchObject({ why: '--base-url', key_works: null });
      }
      expectFailure(withoutFinding(spec, human), withoutFinding(spec, machine), 5, shared.secrets);
    });
    forEach(
      firsts.filter(({ calls }) => calls === 'running server'),
      (spec) => refuse({ ...spec, calls: 'nothing' }, [], 5),
    );
  });

  describe.concurrent('exits with 4 when its key is wrong, without showing the key', () => {
    forEach(calling, async (spec) => {
      const fixture = await setUp(spec, { alone: false });
      const args = (await spec.args?.(fixture)) ?? [];
      fixture.writeProfile('wrong', fixture.proxyRoute.baseUrl, WRONG_KEY);

      const human = await fixture.runInTurn(
        [...wordsOf(spec), '--api-key', WRONG_KEY, ...args],
        fixture.remoteEnv,
        spec.input,
      );
      const machine = await fixture.runInTurn([...wordsOf(spec), '--json', ...args], fixture.env);

      if (spec.explainsFailure) {
        expect(human.stdout).toMatch(/^works +no$/m);
        expect(parseOneDocument(machine.stdout)).toMatchObject({ key_works: false });
        for (const run of [human, machine]) expect(run.stdout).not.toContain(WRONG_KEY);
      }
      expectFailure(withoutFinding(spec, human), withoutFinding(spec, machine), 4, shared.secrets);
    });
  });

  describe.concurrent('exits with 1 when what it names does not exist or is refused', () => {
    forEach(
      firsts.filter((spec) => spec.unknown),
      (spec) => refuse(spec, spec.unknown ?? [], 1),
    );
  });

  describe.concurrent('deletes what does not exist with not_found, and with 0 after --if-exists', () => {
    forEach(
      firsts.filter((spec) => 'if-exists' in commandOf(spec).flags),
      async (spec) => {
        const fixture = await setUp(spec, { alone: false });
        const once = (...flags: string[]) =>
          fixture.runInTurn([...wordsOf(spec), '--json', ...flags, ...(spec.unknown ?? [])], envOf(spec, fixture));

        const [refused, ignored] = await Promise.all([once(), once('--if-exists')]);

        expect(JSON.parse(refused.stderr).error.code).toMatch(/^(template_)?not_found$/);
        expect(ignored, ignored.stderr).toMatchObject({ code: 0, stderr: '' });
        const results = Object.values(parseOneDocument(ignored.stdout));
        expect(results.includes(false) || results.includes(0), ignored.stdout).toBe(true);
      },
    );
  });

  describe.concurrent('changes nothing on a remote server without --yes when it cannot prompt', () => {
    forEach(
      firsts.filter((spec) => asks(commandOf(spec)) && !spec.asksForAFlag),
      async (spec) => {
        const fixture = await setUp(spec, { alone: false });
        const args = ((await spec.args?.(fixture)) ?? []).filter((arg) => arg !== '--yes');

        const human = await fixture.runInTurn([...wordsOf(spec), ...args], fixture.remoteEnv);
        const machine = await fixture.runInTurn([...wordsOf(spec), '--json', ...args], fixture.remoteEnv);

        expectFailure(human, machine, 2, shared.secrets);
        expect(human.stderr).toContain('--yes');
        expect(fixture.answered.filter(({ method }) => method !== 'GET')).toEqual([]);
      },
    );
  });

  describe.concurrent('exits with 2 and names the control API where it is missing, without a request', () => {
    forEach(
      specs.filter(({ calls }) => calls === 'control'),
      async (spec) => {
        const fixture = new Fixture(shared, shared.remote.ready);
        const elsewhere = new Fixture(shared, shared.local.ready);
        // What a server without the control API cannot create is named all the same.
        const args = await (async () => spec.args?.(fixture))().catch(() => spec.args?.(elsewhere));

        const human = await fixture.runInTurn([...wordsOf(spec), ...(args ?? [])], fixture.remoteEnv);
        const machine = await fixture.runInTurn([...wordsOf(spec), '--json', ...(args ?? [])], fixture.remoteEnv);

        expectFailure(human, machine, 2, shared.secrets);
        const { baseUrl } = fixture.proxyRoute;
        // A flag that is the only reason for the control API is named.
        expect(human.stderr.replace(/ --\w+" needs/, '" needs')).toContain(
          `"svc ${spec.command}" needs the control API, which is disabled on ${baseUrl} (--no-control).`,
        );
        expect(human.stderr).toContain('Restart the server without --no-control');
        expect(new Set(fixture.answered.map(({ path }) => path))).toEqual(new Set(['/_svc/health']));
      },
    );
  });
});
