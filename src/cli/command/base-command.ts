import { Command, type Config, Flags, type Interfaces } from '@oclif/core';
import { IncompleteAnswerError } from '../../client/writes.js';
import { locateDataDir, takeDataDir, warningLine } from '../data-dir/find.js';
import { printError, reportError } from '../errors/error-report.js';
import { DeclinedError, exitCodeOf, exitCodes, UsageError } from '../errors/exit-codes.js';
import type { DataDirFlags } from '../flags/data-dir.js';
import { type Printable, printedOut } from '../output/color.js';
import { safeContent } from '../output/fields.js';
import { logText, oneLine, safeJson, safeText } from '../output/text.js';

/** Returns whether an answer contains nothing, so that all of its fields are inherited. `{}` would be a resource. */
function isUnknown(data: unknown): boolean {
  if (typeof data !== 'object' || data === null || Object.keys(data).length > 0) return false;
  return ![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(data));
}

/** Flags whose value may be empty: content of an email or a template, and a search that everything matches. */
const MAY_BE_EMPTY = new Set(['data', 'html', 'search', 'subject', 'text', 'var']);

/** Returns the first flag that was given with an empty value. */
function emptyFlag(argv: readonly string[], known: Interfaces.FlagInput): string | undefined {
  const end = argv.indexOf('--');
  const words = end === -1 ? argv : argv.slice(0, end);
  const at = words.findIndex((word, index) => {
    const [, name = '', value] = /^--([\w-]+)(?:=(\s*))?$/.exec(word) ?? [];
    const takesValue = known[name]?.type === 'option' && !MAY_BE_EMPTY.has(name);
    return takesValue && (value ?? words[index + 1])?.trim() === '';
  });
  return words[at]?.replace(/^--|=\s*$/g, '');
}

function emptyValue(name: string): UsageError {
  return new UsageError(`${name} must not be empty.`, 'Is a variable of your shell unset?');
}

/** Provides what every command shares: data on stdout, messages on stderr, errors in one form. */
export abstract class BaseCommand extends Command {
  static override baseFlags = {
    json: Flags.boolean({
      description: 'Print response data as JSON on stdout, and errors as JSON on stderr.',
      helpGroup: 'GLOBAL',
    }),
    input: Flags.boolean({
      description: 'Show prompts on a terminal; --no-input disables them.',
      default: true,
      allowNo: true,
      helpGroup: 'GLOBAL',
    }),
  };

  /** Runs the command with the configuration that oclif has loaded. oclif's own function would load it again. */
  static override run<T extends Command>(
    this: new (
      argv: string[],
      config: Config,
    ) => T,
    argv: string[],
    options?: Interfaces.LoadOptions,
  ): Promise<ReturnType<T['run']>> {
    const command: Command = new this(argv, options as Config);
    return (command as BaseCommand)._run<ReturnType<T['run']>>();
  }

  /**
   * Exit codes with a special meaning for this command, for help and the reference. Other codes have their general
   * meaning.
   */
  static exitCodes: Record<string, string> = {};

  /**
   * Prints data: with --json as JSON, otherwise as the text that `human` returns, without control characters and
   * commands to a CI server.
   */
  protected print(data: unknown, human: () => Printable): void {
    const { json } = this.globalFlags;
    process.stdout.write(
      json ? `${safeJson(JSON.stringify(isUnknown(data) ? null : data))}\n` : logText(printedOut(human()), process.env),
    );
  }

  /** Prints requested content, such as a file: unchanged, for a file or a program. */
  protected printContent(data: unknown, content: string): void {
    if (this.globalFlags.json) this.print(data, () => '');
    else process.stdout.write(safeContent(process.stdout, content));
  }

  /** Prints a message for people on stderr; nothing with --json. */
  protected info(text: string): void {
    if (!this.globalFlags.json) this.status(text);
  }

  /** Prints a status line on stderr for people and scripts, such as the moment from which a stream misses nothing. */
  protected status(text: string): void {
    process.stderr.write(`${safeText(text)}\n`);
  }

  /** Prints a warning on stderr; with --json as a JSON line of its own. */
  protected printWarning(message: string): void {
    this.status(
      this.globalFlags.json ? safeJson(JSON.stringify({ warning: { message } })) : `warning: ${oneLine(message)}`,
    );
  }

  /** Returns the path of the data directory to use. Prints warnings about it on stderr. */
  protected takeDataDir(flags: DataDirFlags, located = locateDataDir(flags, process.env, process.cwd())): string {
    const { path, warnings } = takeDataDir(located, flags);
    for (const warning of warnings) this.printWarning(warningLine(warning));
    return path;
  }

  /** Parses the command line. An argument or flag that is empty comes from an unset variable. @throws UsageError */
  protected override async parse<
    F extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    B extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    A extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(options?: Interfaces.Input<F, B, A>, argv?: string[]): Promise<Interfaces.ParserOutput<F, B, A>> {
    const known: Interfaces.FlagInput = { ...this.ctor.baseFlags, ...options?.flags };
    const flag = emptyFlag(argv ?? this.argv, known);
    if (flag !== undefined) throw emptyValue(`--${flag}`);
    const parsed = await super.parse(options, argv);
    const args = Object.entries(parsed.args).map(([name, value]) => [name.toUpperCase(), value] as const);
    const flags = Object.entries(parsed.flags).filter(([name]) => !MAY_BE_EMPTY.has(name));
    const values = [...args, ...flags.map(([name, value]) => [`--${name}`, value] as const)];
    const empty = values.find(([, given]) =>
      [given].flat().some((value) => typeof value === 'string' && value.trim() === ''),
    );
    if (empty) throw emptyValue(empty[0]);
    return parsed;
  }

  /** Returns the global flags from argv, also before parsing and when parsing fails. */
  protected get globalFlags(): { json: boolean } {
    const end = this.argv.indexOf('--');
    return { json: (end === -1 ? this.argv : this.argv.slice(0, end)).includes('--json') };
  }

  protected override async catch(error: Error): Promise<void> {
    const code = exitCodeOf(error);
    // What the answer contains may not be shown again.
    if (error instanceof IncompleteAnswerError) process.stdout.write(`${safeText(error.answer)}\n`);
    if (code !== 0) this.report(error, code === exitCodes.usage ? await this.#hint(error) : undefined);
    process.exitCode = code;
  }

  /** Prints an error on stderr; with --json as JSON. */
  protected report(error: Error, hint?: string): void {
    if (error instanceof DeclinedError && !this.globalFlags.json) {
      this.status(error.message);
      return;
    }
    const topic = `svc ${(this.id ?? '').replaceAll(':', ' ')}`.trim();
    const report = reportError(error, topic, hint, this.ctor.args);
    printError(report, this.globalFlags.json);
  }

  async #hint(error: Error): Promise<string | undefined> {
    const { hintFor } = await import('../errors/did-you-mean.js');
    const { flags, baseFlags } = this.ctor;
    return hintFor(error, Object.values({ ...baseFlags, ...flags }));
  }
}
