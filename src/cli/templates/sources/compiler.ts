import { type ChildProcess, type SpawnOptions, spawn as spawnNode } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import spawn from 'cross-spawn';
import { TEMPLATE_CONTENT_BYTES } from '../../../contract/vocabulary/limits.js';
import { plural } from '../../../contract/vocabulary/text.js';
import { packageDirectory } from '../../../package-directory.js';
import { hasSignals } from '../../../system.js';
import { CommandError, UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { shellQuote } from '../../output/text.js';
import { pause } from '../../process/write-stdout.js';
import { allowCode, isCodeAllowed } from './allowed-code.js';
import type { CompileRequest, CompileResponse } from './compiler-main.js';
import { codeIn, type TemplateCode } from './find-code.js';

/**
 * Compiles the sources of templates. Code of a directory runs only if the user has allowed it, and never in the process
 * that has keys.
 */

/** The code of a directory must not run, because the user has not allowed it. */
export class CodeRefusedError extends CommandError {}

export interface CompilerOptions {
  /** Whether to allow the code of the directory from now on. */
  'allow-code'?: boolean;
  /** Milliseconds for each source. */
  timeoutMs?: number;
  env?: NodeJS.ProcessEnv;
  /** Called when a source was made of other files than before. */
  onNewInputs?: () => void;
}

const TIMEOUT_MS = 30_000;
/** Bytes of an error output that are kept. */
const ERROR_BYTES = 4_096;
const DETACHED = hasSignals();

/** The packages that each kind of source needs, as npm installs them. */
const PACKAGES = {
  mjml: { mjml: 'mjml@5' },
  react: {
    '@react-email/render': '@react-email/render@2',
    react: 'react',
    'react-dom': 'react-dom',
    esbuild: 'esbuild',
  },
} as const;

/** Compiles sources, one after the other, and keeps the results until `forget` is called. */
export class TemplateCompiler {
  readonly #results = new Map<string, Promise<string>>();
  readonly #inputs = new Map<string, string[]>();
  readonly #timeoutMs: number;
  readonly #env: NodeJS.ProcessEnv;
  #turn: Promise<unknown> = Promise.resolve();
  #child: ChildProcess | undefined;

  /** `folder` is the directory of a template, or of several. */
  constructor(
    private readonly folder: string,
    private readonly options: CompilerOptions,
  ) {
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#env = options.env ?? process.env;
    if (options['allow-code']) allowCode([folder, ...codeIn(folder).map(({ file }) => dirname(file))], this.#env);
  }

  /**
   * Returns the HTML of a source.
   * @throws CodeRefusedError if the user has not allowed the directory's code; UsageError if a compiler is not
   * installed; CommandError with the file and the line if the source cannot be compiled.
   */
  async compile(code: TemplateCode): Promise<string> {
    requireCompilers(code);
    if (!isCodeAllowed(dirname(code.file), this.#env)) throw refusal(this.folder, this.#env);
    const known = this.#results.get(code.file);
    if (known) return known;
    const result = this.#turn.then(() => (code.kind === 'command' ? this.#run(code) : this.#send(code, code.kind)));
    this.#results.set(code.file, result);
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Forgets all results, after a file has changed. */
  forget(): void {
    this.#results.clear();
  }

  /** Returns the directories of all files that results were made of. */
  directories(): string[] {
    return [...new Set([...this.#inputs.values()].flat().map(dirname))];
  }

  close(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #send({ file }: TemplateCode, kind: CompileRequest['kind']): Promise<string> {
    const child = this.#running();
    const ending = new AbortController();
    try {
      child.send({ kind, file } satisfies CompileRequest);
      const response = await Promise.race([
        once(child, 'message', ending).then(([message]) => message as CompileResponse),
        once(child, 'exit', ending).then(() => 'ended' as const),
        pause(this.#timeoutMs, ending.signal).then(() => 'late' as const),
      ]);
      if (response === 'ended') throw this.#failure(file, 'the process of the compiler ended.');
      if (response === 'late') throw this.#failure(file, lateness(this.#timeoutMs));
      const isCompiled = 'html' in response;
      // A compiler that fails may not have read all files. The others can be what is missing.
      this.#record(file, isCompiled ? response.inputs : [...(this.#inputs.get(file) ?? []), ...response.inputs]);
      if (isCompiled) return response.html;
      const { message, place } = response;
      const { file: at = file, line, column } = place ?? {};
      const position = [nameOf(at), line, column].filter((part) => part !== undefined).join(':');
      throw new CommandError(`${position}: ${message}`, at === file ? undefined : `It is part of ${nameOf(file)}.`);
    } finally {
      ending.abort();
    }
  }

  #running(): ChildProcess {
    if (this.#child?.connected) return this.#child;
    const child = spawnNode(process.execPath, [join(packageDirectory(), 'bin', 'compiler.js')], {
      cwd: this.folder,
      env: withoutSettings(this.#env),
      // Code of templates may print. Only HTML counts.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
    });
    // It is followed by the end of the process.
    child.on('error', () => {});
    this.#child = child;
    return child;
  }

  #failure(file: string, message: string): CommandError {
    this.close();
    return new CommandError(`${nameOf(file)}: ${message}`);
  }

  #record(file: string, inputs: string[]): void {
    const before = this.#inputs.get(file) ?? [];
    this.#inputs.set(file, inputs);
    if (inputs.some((input) => !before.includes(input))) this.options.onNewInputs?.();
  }

  /** Returns what a command prints. Everything that it started ends with it. */
  async #run({ file, command: [program = '', ...args], line }: TemplateCode): Promise<string> {
    const failure = (message: string) =>
      new CommandError(`${nameOf(file)}:${line}: ${commandText([program, ...args])} ${message}`);
    const options: SpawnOptions = {
      cwd: dirname(file),
      env: withoutSettings(this.#env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: DETACHED,
      windowsHide: true,
    };
    const child = spawn(program, args, options);
    const ending = new AbortController();
    const [html, errors] = [new Output(TEMPLATE_CONTENT_BYTES), new Output(ERROR_BYTES)];
    const excess = new Promise<'too much'>((resolve) => html.read(child.stdout, () => resolve('too much')));
    errors.read(child.stderr, () => {});
    try {
      const ended = await Promise.race([
        once(child, 'close', ending).then(([code, signal]) => ({ code, signal })),
        excess,
        pause(this.#timeoutMs, ending.signal).then(() => 'late' as const),
      ]);
      if (ended === 'too much') {
        throw failure(`printed more than ${TEMPLATE_CONTENT_BYTES.toLocaleString('en-US')} bytes.`);
      }
      if (ended === 'late') throw failure(lateness(this.#timeoutMs));
      const { code, signal } = ended;
      if (code !== 0) throw failure(`ended with ${signal ?? `exit code ${code}`}. ${errors.text().trim()}`.trim());
      return html.text();
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw failure(`cannot be run: ${describeFileError(error)}.`);
    } finally {
      ending.abort();
      endAll(child);
    }
  }
}

/** The beginning of what a process prints. The rest is read, so that the process does not wait, and dropped. */
class Output {
  #bytes = 0;
  readonly #chunks: Buffer[] = [];

  constructor(private readonly limit: number) {}

  read(stream: NodeJS.ReadableStream | null, onLimit: () => void): void {
    stream?.on('data', (chunk: Buffer) => {
      if (this.#bytes <= this.limit) this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      if (this.#bytes > this.limit) onLimit();
    });
  }

  text(): string {
    return Buffer.concat(this.#chunks).subarray(0, this.limit).toString();
  }
}

/** Ends the process and, where the system has process groups, all that it started. */
function endAll(child: ChildProcess): void {
  if (child.pid === undefined) return;
  child.stdout?.destroy();
  child.stderr?.destroy();
  try {
    if (DETACHED) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // All have ended.
  }
}

/** Returns the environment for code that is not svc's: without svc's keys and settings. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^SVC_/i.test(name)));
}

/** @throws UsageError that names the packages to install. */
function requireCompilers({ kind, file }: TemplateCode): void {
  if (kind === 'command') return;
  const missing = Object.entries(PACKAGES[kind]).filter(([name]) => pathOf(name, file) === undefined);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name).join(', ');
  throw new UsageError(
    `${nameOf(file)} needs ${missing.length === 1 ? 'the package' : 'the packages'} ${names}, not installed in its project.`,
    `Install ${missing.length === 1 ? 'it' : 'them'}: npm install --save-dev ${missing.map(([, spec]) => spec).join(' ')}`,
  );
}

/** Returns the path of a package's code, as Node finds it from a file. Runs nothing. */
function pathOf(name: string, file: string): string | undefined {
  try {
    return createRequire(file).resolve(name);
  } catch {
    return undefined;
  }
}

/** Returns the error that lists all that a directory would run, and must not yet. */
function refusal(folder: string, env: NodeJS.ProcessEnv): CodeRefusedError {
  const all = codeIn(folder).filter(({ file }) => !isCodeAllowed(dirname(file), env));
  const runs = all.map(({ kind, file, command }) => {
    const packages = kind === 'command' ? [] : Object.keys(PACKAGES[kind]).map((name) => pathOf(name, file) ?? name);
    const code = kind === 'react' ? [file, 'the files that it imports', ...packages] : packages;
    return { path: nameOf(file), message: kind === 'command' ? commandText(command) : code.join(', ') };
  });
  return new CodeRefusedError(
    `${plural(all.length, 'template')} in ${folder} would run code that you have not allowed.`,
    'If you trust this directory, pass --allow-code once to a command such as "svc templates check". svc remembers it.',
    runs,
  );
}

function commandText(command: readonly string[]): string {
  return command.map(shellQuote).join(' ');
}

function lateness(timeoutMs: number): string {
  return `did not end within ${timeoutMs / 1_000} s.`;
}

function nameOf(file: string): string {
  return relative(process.cwd(), file);
}

/** Calls `use` with a compiler, and ends it. */
export async function withCompiler<T>(
  folder: string,
  options: CompilerOptions,
  use: (compiler: TemplateCompiler) => Promise<T>,
): Promise<T> {
  const compiler = new TemplateCompiler(folder, options);
  try {
    return await use(compiler);
  } finally {
    compiler.close();
  }
}
