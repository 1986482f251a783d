import { Command, Flags } from '@oclif/core';
import { type Printable, printedOut } from './color.js';
import { contentFor } from './content-output.js';
import { renderError, reportError } from './error-report.js';
import { exitCodeOf, exitCodes } from './exit-codes.js';
import { type DataDirFlags, locateDataDir, takeDataDir, warningLine } from './find-data-dir.js';
import { oneLine, safeJson, safeText } from './text.js';

/** What every command shares: data on stdout, messages on stderr, errors in one form. */
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

  /** Exit codes that mean something of this command's own, for help and reference; else they mean what they always do. */
  static exitCodes: Record<string, string> = {};

  /** Prints data: as JSON when asked to, else as the text that `human` makes of it, without control characters. */
  protected print(data: unknown, human: () => Printable): void {
    process.stdout.write(this.asked.json ? `${safeJson(JSON.stringify(data))}\n` : printedOut(human()));
  }

  /** Prints content that was asked for: for a file or a program, exactly as it is. */
  protected printContent(data: unknown, content: string): void {
    if (this.asked.json) this.print(data, () => '');
    else process.stdout.write(contentFor(process.stdout, content));
  }

  /** Says something to the person at the terminal, never to a script. */
  protected say(text: string): void {
    if (!this.asked.json) this.announce(text);
  }

  /** Says something on stderr to scripts too: from when on a stream misses nothing. */
  protected announce(text: string): void {
    process.stderr.write(`${safeText(text)}\n`);
  }

  /** Says on stderr what is not as it should be and no error: to a script as JSON, on a line before that of an error. */
  protected warnOf(message: string): void {
    this.announce(
      this.asked.json ? safeJson(JSON.stringify({ warning: { message } })) : `warning: ${oneLine(message)}`,
    );
  }

  /** Returns the path of the data directory to use, and warns on stderr of what is not as it should be. */
  protected takeDataDir(flags: DataDirFlags, located = locateDataDir(flags, process.env, process.cwd())): string {
    const { path, warnings } = takeDataDir(located, flags);
    for (const warning of warnings) this.warnOf(warningLine(warning));
    return path;
  }

  /** Global flags as they stand in argv, readable before parsing and when parsing fails. */
  protected get asked(): { json: boolean } {
    const end = this.argv.indexOf('--');
    return { json: (end === -1 ? this.argv : this.argv.slice(0, end)).includes('--json') };
  }

  protected override async catch(error: Error): Promise<void> {
    // Else oclif warns, under NODE_ENV=test and development, that a command line which was refused was not parsed.
    this.parsed = true;
    const code = exitCodeOf(error);
    if (code !== 0) this.report(error, code === exitCodes.usage ? await this.#hint(error) : undefined);
    process.exitCode = code;
  }

  /** Shows an error on stderr: as JSON when asked to. */
  protected report(error: Error, hint?: string): void {
    const report = reportError(error, `svc ${(this.id ?? '').replaceAll(':', ' ')}`.trim(), hint);
    process.stderr.write(this.asked.json ? `${safeJson(JSON.stringify({ error: report }))}\n` : renderError(report));
  }

  async #hint(error: Error): Promise<string | undefined> {
    const { hintFor } = await import('./did-you-mean.js');
    const { flags, baseFlags } = this.ctor;
    return hintFor(error, Object.values({ ...baseFlags, ...flags }));
  }
}
