import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { type OperationName, service } from '../../../src/contract/service/endpoints.js';
import type { Finished } from '../../support/cli/binary.js';
import type { RunInProcess } from '../../support/cli/in-process.js';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';
import type { Passed, VariantProxy } from '../../support/variants/variant-proxy.js';
import { startVariantService, type VariantService } from '../../support/variants/variant-service.js';
import { DETAIL, type KnownVariant, REFUSAL, SILENT, variantsOf } from '../../support/variants/variants.js';
import { TESTED_COMMANDS, type TestedCommand } from './tested-commands.js';

/**
 * Every command of the service's endpoints, in front of a service that answers in every form: no error of JavaScript,
 * no false statement, the right exit code, and nothing lost.
 */

let app: TestApp;
let proxy: VariantProxy;
let run: RunInProcess;
let close: VariantService['close'];
const cells: { effect: string; problems: string[] }[] = [];

beforeAll(async () => {
  ({ app, proxy, run, close } = await startVariantService({ logRequests: false }));
});

afterAll(async () => {
  await close();
  const by = new Map<string, number>();
  for (const { effect } of cells) by.set(effect, (by.get(effect) ?? 0) + 1);
  const failed = cells.filter(({ problems }) => problems.length > 0).length;
  const counts = [...by].map(([effect, count]) => `${count} ${effect}`).join(', ');
  process.stderr.write(`${cells.length} cells (${counts}), ${failed} with problems\n`);
});

interface Cell extends Finished {
  passed: Passed[];
  /** The files of the command's directory before and after it. */
  files: [Record<string, string>, Record<string, string>];
  webhooksLeft: number;
}

/** What a command needs, on the server and in its directory. */
interface Prepared {
  command: TestedCommand;
  args: string[];
  folder: string;
  files: Record<string, string>;
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'svc-variants-'));

async function prepare(command: TestedCommand, folder = newFolder()): Promise<Prepared> {
  await app.call('POST', '/_svc/reset');
  const args = await command.prepare(app, folder);
  return { command, args, folder, files: filesIn(folder) };
}

const discard = ({ folder }: Prepared) => rmSync(folder, { recursive: true });

async function runCell(
  { command: { untilStopped, input }, args, folder, files }: Prepared,
  { variant, operation, json = false }: { variant?: KnownVariant; operation?: OperationName; json?: boolean } = {},
): Promise<Cell> {
  proxy.serve(variant, operation);
  const retries = ['--retries', variant?.effect === 'refused once' ? '1' : '0'];
  const restoreTime = variant === SILENT ? passTimeLimits() : () => {};
  const data = { SVC_DATA_DIR: join(folder, '.svc'), SVC_CONFIG_DIR: folder };
  const env = { SVC_BASE_URL: proxy.baseUrl, SVC_API_KEY: TEST_KEY, ...data };
  let isStopped = false;
  const onStdout = () => {
    if (!untilStopped || isStopped) return;
    isStopped = true;
    setImmediate(() => process.emit('SIGTERM', 'SIGTERM'));
  };
  const finished = await run([...args, ...retries, ...(json ? ['--json'] : [])], { cwd: folder, env, input, onStdout });
  restoreTime();
  const { passed } = proxy;
  const webhooksLeft = untilStopped ? (await app.read('/v1/webhooks')).webhooks.length : 0;
  return { ...finished, passed, files: [files, filesIn(folder)], webhooksLeft };
}

/** Ends calls as at their time limit once an answer does not come. Returns what restores the limits. */
function passTimeLimits(): () => void {
  const limits: AbortController[] = [];
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController();
    limits.push(limit);
    return limit.signal;
  });
  proxy.onSilence = () => {
    for (const limit of limits) limit.abort(new DOMException('The time limit has passed.', 'TimeoutError'));
  };
  return () => timeout.mockRestore();
}

function filesIn(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, path.toString()));
  return Object.fromEntries(
    paths.filter((path) => statSync(path).isFile()).map((path) => [path, readFileSync(path, 'utf8')]),
  );
}

const isRead = (operation: OperationName) => (service[operation] as Endpoint).method === 'GET';
const onlyHere = (operation: OperationName): readonly string[] => (service[operation] as Endpoint).onlyHere ?? [];
const isDone = ({ status = 0 }: { status?: number } = {}) => status >= 200 && status <= 299;

/** The words of a text, without IDs, times and numbers of the run. */
function wordsOf(text: string): string[] {
  return text
    .replace(/\b[a-z]{3}_[0-9a-z]{26}\b|\bsvc_(?:test|live)_\w+|\bwhsec_\w+|case-\d+/g, 'ID')
    .replace(/127\.0\.0\.1:\d+|svc-verification=\w+|(?<=p=)\S+/g, 'VALUE')
    .replace(/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?/g, 'TIME')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
}

/** Hundreds of runs of a command on a busy machine. */
const BUSY_MS = 600_000;

const CODES =
  /TypeError|Cannot read prop|is not (?:a function|iterable|defined)|undefined|NaN|Invalid (?:Date|time)|\[object/;

/** Returns what is wrong with a cell. */
function problemsOf(
  { code, stdout, stderr, passed, files, webhooksLeft }: Cell,
  { name: variantName, effect, field = '', status = 0 }: KnownVariant,
  { operation, friendly, name }: { operation: OperationName; friendly: Cell; name: string },
): string[] {
  const problems: string[] = [];
  const expectThat = (holds: boolean, problem: string) => holds || problems.push(problem);
  const text = stdout + stderr;
  const words = wordsOf(stdout);
  // A cell without a value is a dash.
  const known = new Set(['-', ...wordsOf(friendly.stdout)]);
  const answers = wordsOf(passed.map(({ sent }) => sent?.body.replace(/\\?"|\\n/g, ' ') ?? '').join(' '));
  for (const word of answers) known.add(word);
  const strange = words.filter((word) => !known.has(word));
  const asked = passed.filter((each) => each.operation === operation);
  const done = asked.filter(({ real }) => isDone(real));
  const isNeeded = onlyHere(operation).some((key) => field === key);
  const good = friendly.code;

  expectThat(!CODES.test(text), `error of JavaScript: ${CODES.exec(text)}`);
  expectThat(asked.length > 0, 'the operation was not called');

  const allowed = (...codes: (number | null)[]) =>
    expectThat(codes.includes(code), `exit ${code}, not ${codes.join(' or ')}`);
  // It lists webhooks only in case the answer to the creation does not contain an ID.
  const isNeedless = name === 'webhooks listen' && operation === 'webhooks.list' && code === good;
  switch (isNeedless ? 'needless' : effect) {
    case 'same':
    case 'other value':
      allowed(good);
      if (effect === 'same')
        expectThat(words.join(' ') === wordsOf(friendly.stdout).join(' '), 'another text on stdout');
      if (
        variantName.endsWith('status unknown') &&
        friendly.passed.length === 1 &&
        / {2}(?:sent|delivered|pending|verified)\b/.test(friendly.stdout)
      ) {
        expectThat(stdout.includes('queued'), 'does not show the status');
      }
      break;
    case 'less':
      if (isNeeded) allowed(1);
      else {
        // What the command itself needs, such as the ID of a template to delete, may be missing.
        allowed(good, 1);
        if (code === good) expectThat(strange.length === 0, `says what the answer does not: ${strange.join(' ')}`);
        else
          expectThat(
            /does not (?:contain|return)|cannot find/i.test(stderr),
            'does not say that the answer lacks something',
          );
        expectThat(!/not found/.test(stderr) || /not found/.test(friendly.stderr), 'says "not found"');
      }
      break;
    case 'unreadable':
      if (isRead(operation)) allowed(5);
      else allowed(onlyHere(operation).length > 0 ? 1 : good);
      break;
    case 'has nothing':
      if (isRead(operation)) allowed(1);
      else allowed(onlyHere(operation).length > 0 ? 1 : good);
      break;
    case 'foreign':
      allowed(isRead(operation) ? 5 : 1);
      expectThat(stderr.includes('Welcome 4711'), 'does not show the first line');
      break;
    case 'refused':
      allowed(status === 401 || status === 403 ? 4 : 1);
      expectThat(stderr.includes(REFUSAL) || stderr.includes(DETAIL), 'does not show the message');
      if (asked.some(({ sent }) => sent?.body.includes(DETAIL)))
        expectThat(stderr.includes(DETAIL), 'does not show the detail');
      break;
    case 'refused once':
      allowed(good);
      break;
    case 'lost':
      allowed(isRead(operation) ? 5 : 1);
      if (!isRead(operation)) expectThat(/may have been/.test(stderr), 'does not say that it may have been done');
  }

  if (!isRead(operation)) {
    const writes = friendly.passed.filter((each) => each.operation === operation).length;
    expectThat(done.length <= writes, `done ${done.length} times`);
    if (code === good) expectThat(done.length > 0, 'says that it was done, and it was not');
    else if (done.length > 0)
      expectThat(/may have been|succeeded|Cannot delete webhook/.test(stderr), 'does not say that it was done');
    const isOdd = ['unreadable', 'has nothing'].includes(effect) && (service[operation] as Endpoint).response;
    if (isOdd && code === good && name !== 'webhooks listen')
      expectThat(
        /another form|does not contain|warning: /.test(stderr),
        'does not say that the answer has another form',
      );
  }
  // Nothing is lost.
  if (operation === 'webhooks.create' && effect !== 'refused' && name === 'webhooks create') {
    const secret = JSON.parse(asked[0]?.request || '{}').secret;
    expectThat(text.includes(secret), 'the secret is lost');
  }
  const key = /"key":"(svc_test_\w+)"/.exec(asked.at(-1)?.sent?.body ?? '')?.[1];
  if (key !== undefined) expectThat(stdout.includes(key), 'the key is lost');
  expectThat(
    webhooksLeft === 0 || operation === 'webhooks.delete' || operation === 'webhooks.list',
    'a webhook is left',
  );
  if (name === 'templates pull' && code !== good)
    expectThat(JSON.stringify(files[0]) === JSON.stringify(files[1]), 'files have changed');
  return problems;
}

/** Each command gets one in so many of the variants that the client reads in one place; other commands get others. */
const SHARES = 9;

const IN_JSON: ReadonlySet<string> = new Set(['unreadable', 'has nothing', 'foreign', 'lost']);

/** Returns what is wrong with a cell of --json. */
function problemsInJson({ code, stdout, stderr }: Cell, friendly: Cell): string[] {
  const problems: string[] = [];
  if (CODES.test(stdout + stderr)) problems.push('error of JavaScript');
  const lines = (code === friendly.code ? stdout : stderr).trim().split('\n');
  try {
    for (const line of lines.filter((each) => each !== '')) JSON.parse(line);
  } catch {
    problems.push('not JSON');
  }
  if (lines.length === 0 || lines[0] === '') problems.push('nothing printed');
  return problems;
}

const commands = TESTED_COMMANDS.map((command, turn) => [command.name, command, turn] as const);

describe.each(commands)('svc %s', (name, command, turn) => {
  it(
    'reads every answer',
    async () => {
      let prepared = await prepare(command);
      const friendly = await runCell(prepared);
      expect({ code: friendly.code, text: friendly.stderr }).toEqual({
        code: command.code ?? 0,
        text: expect.not.stringMatching(/Error/),
      });
      expect(friendly.passed, 'it calls no endpoint').not.toEqual([]);
      const operations = [...new Set(friendly.passed.map(({ operation }) => operation))];
      const changes = !operations.every(isRead) || Object.keys(friendly.files[1]).length > 0;
      // Whether the last cell changed its directory, and whether it used up what it needed.
      let isChanged = changes;
      let isUsed = changes;
      const found: string[] = [];
      for (const operation of operations) {
        const silent = name === operation.replace('.', ' ') ? [SILENT] : [];
        const all = [...variantsOf(operation), ...silent];
        const isOfTurn = (index: number) => (index + turn) % SHARES === 0;
        const variants = all.filter(({ isShared }, index) => !isShared || isOfTurn(index));
        const inJson = all.filter(({ effect }) => IN_JSON.has(effect)).filter((_, index) => isOfTurn(index));
        const asked = [
          ...variants.map((variant) => ({ variant, json: false })),
          ...inJson.map((variant) => ({ variant, json: true })),
        ];
        for (const { variant, json } of asked) {
          if (isUsed) {
            const isKept = !isChanged && Object.keys(prepared.files).length === 0;
            if (!isKept) discard(prepared);
            prepared = await prepare(command, isKept ? prepared.folder : undefined);
          }
          const cell = await runCell(prepared, { variant, operation, json });
          isChanged = JSON.stringify(cell.files[0]) !== JSON.stringify(cell.files[1]);
          isUsed = isChanged || (changes && cell.passed.some((each) => !isRead(each.operation) && isDone(each.real)));
          const context = { operation, friendly, name };
          const problems = json ? problemsInJson(cell, friendly) : problemsOf(cell, variant, context);
          cells.push({ effect: json ? 'in JSON' : variant.effect, problems });
          if (problems.length > 0) {
            found.push(`${operation}, ${variant.name}: ${problems.join('; ')}\n${cell.stdout}${cell.stderr}`);
          }
        }
      }
      discard(prepared);
      if (found.length > 0) expect.fail(`${found.length} problems:\n${found.join('\n')}`);
    },
    BUSY_MS,
  );
});
