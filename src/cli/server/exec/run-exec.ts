import { once } from 'node:events';
import type { Client } from '../../../client/client.js';
import type { WarningReport } from '../../../contract/control/warning-report.js';
import type { FaultPreset } from '../../../contract/vocabulary/faults/presets.js';
import { maskSecrets } from '../../../contract/vocabulary/secrets.js';
import { exitCodes } from '../../errors/exit-codes.js';
import { printedOut } from '../../output/color.js';
import { describeReport, junitOf } from '../../output/formatters/warning-report.js';
import { systemNow } from '../../output/local-time.js';
import { shellQuote } from '../../output/text.js';
import { runChild } from '../../process/child-process.js';
import { pause } from '../../process/write-stdout.js';
import { failsOnWarning, startReport, writeReportFile } from '../report/report.js';
import type { Seed } from '../seed/read-seed.js';
import { serverVariables } from '../settings/formats.js';
import { Captured, FROM_THE_BEGINNING, runStart } from './artifacts/captured.js';
import type { ExecServer } from './exec-server.js';
import { summaryFile } from './flags.js';

/** Runs a command with a server, and reports what the server captured meanwhile. */

/** Time to wait after the command for what it caused. */
const SETTLE_SECONDS = 10;

export interface ExecOptions {
  'report-junit'?: string | undefined;
  'fail-on-warning': boolean;
  command: string;
  args: readonly string[];
  /** Variables for the command, besides those of the server. */
  variables: Record<string, string>;
  seed: Seed | undefined;
  /** Presets of faults to add before the command. */
  presets: readonly FaultPreset[];
  report: boolean;
  /** The directory of the artifacts. */
  artifacts: string | undefined;
  'artifacts-always': boolean;
  summary: string | undefined;
}

/** Prints on stderr. */
export interface ExecOutput {
  status(text: string): void;
  printWarning(text: string): void;
  /** Prints an error that does not end the run. */
  report(error: Error): void;
}

/**
 * Runs the command. Returns the exit code: that of the command if it failed, else 3 for warnings, else 1 for errors.
 * Undefined if a signal came after the command had ended.
 */
export async function runExec(
  server: ExecServer,
  options: ExecOptions,
  output: ExecOutput,
): Promise<number | undefined> {
  const { command, args, seed, presets, variables, artifacts } = options;
  const { client, isOwn, stopping } = server;
  if (artifacts !== undefined) (await import('./artifacts/artifact-directory.js')).removeArtifacts(artifacts);
  if (seed) await (await import('../seed/apply-seed.js')).applySeed(client, seed);
  if (presets.length > 0) await (await import('../seed/apply-seed.js')).addPresets(client, presets);
  const wantsReport = options.report || options['report-junit'] !== undefined || options['fail-on-warning'];
  const wantsFiles = artifacts !== undefined || options.summary !== undefined;
  const start = isOwn || !wantsFiles ? FROM_THE_BEGINNING : await runStart(client);
  const report = wantsReport || options.summary !== undefined ? await startReport(client) : undefined;
  const since = await sinceNow(seed);
  const environment = { ...serverVariables(server.address, server.dataDir), SVC_SINCE: since, ...variables };
  const code = await runChild(command, args, environment);
  const interrupted = stopping.aborted ? undefined : once(stopping, 'abort');
  const reporter = new ExecReporter(options, output, code);
  if (isOwn || wantsReport || wantsFiles)
    await reporter.attempt(() => Promise.race([settle(client, output), interrupted].filter(Boolean)));
  if (interrupted && stopping.aborted) return undefined;
  await reporter.attempt(async () => report && reporter.reportWarnings(await report()));
  await reporter.attempt(() => reporter.writeFiles(new Captured(client, start)));
  return reporter.exitCode;
}

/** Returns the current time, after that of every message of the seed. */
async function sinceNow(seed: Seed | undefined): Promise<string> {
  if (seed && seed.messages.length > 0) await pause(1);
  return new Date(systemNow()).toISOString();
}

async function settle(client: Client, output: ExecOutput): Promise<void> {
  const { settled } = await client.control('settle', { body: { timeout: `${SETTLE_SECONDS}s` } });
  if (settled) return;
  output.printWarning(`Messages or webhook requests were still pending ${SETTLE_SECONDS} s after the command ended.`);
}

/** Reports one run, and collects its exit code. */
class ExecReporter {
  #warnings: WarningReport | undefined;
  #isFailedByWarnings = false;
  #hasProblem = false;

  constructor(
    private readonly options: ExecOptions,
    private readonly output: ExecOutput,
    private readonly code: number,
  ) {}

  get exitCode(): number {
    if (this.code !== 0) return this.code;
    if (this.#isFailedByWarnings) return exitCodes.assertionFailed;
    return this.#hasProblem ? exitCodes.failed : exitCodes.done;
  }

  /** Runs a step. An error is printed, and the next steps still run: the exit code of a failed command comes first. */
  async attempt(step: () => unknown): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#hasProblem = true;
      this.output.report(error);
    }
  }

  reportWarnings(found: WarningReport): void {
    const { options } = this;
    this.#warnings = found;
    this.#isFailedByWarnings = failsOnWarning(found, options);
    // A failure shows its reason.
    const isShown = options.report || (this.code === 0 && this.#isFailedByWarnings);
    if (isShown) this.output.status(printedOut(describeReport(found)).trimEnd());
    if (options['report-junit'] !== undefined) {
      writeReportFile(options['report-junit'], junitOf(found), '--report-junit');
    }
  }

  async writeFiles(captured: Captured): Promise<void> {
    const { artifacts, summary } = this.options;
    const hasFailed = this.code !== 0 || this.#isFailedByWarnings;
    const directory = hasFailed || this.options['artifacts-always'] ? artifacts : undefined;
    let written: string | undefined;
    if (directory !== undefined) {
      await this.attempt(async () => {
        const { writeArtifacts } = await import('./artifacts/write-artifacts.js');
        const heading = `${this.#commandLine} ${this.#outcome}`;
        await writeArtifacts(directory, captured, heading, (line) => this.output.status(line));
        written = directory;
        this.output.status(`Artifacts: ${directory}`);
      });
    }
    if (summary !== undefined) await this.#summarize(summary, captured, written);
  }

  async #summarize(value: string, captured: Captured, artifacts: string | undefined): Promise<void> {
    const { readSummary, summaryOf, writeSummary } = await import('./summary.js');
    const text = summaryOf({
      ...(await readSummary(captured)),
      command: this.#commandLine,
      outcome: this.#outcome,
      report: this.#warnings,
      artifacts,
    });
    const file = summaryFile(value, process.env);
    if (file) writeSummary(file, text);
    else this.output.status(text.trimEnd());
  }

  /** The command line, without secrets of svc: others can read what a CI server keeps. */
  get #commandLine(): string {
    return maskSecrets([this.options.command, ...this.options.args].map(shellQuote).join(' '));
  }

  get #outcome(): string {
    const warned = this.code === 0 && this.#isFailedByWarnings ? ', and its requests caused warnings' : '';
    return `exited with code ${this.code}${warned}`;
  }
}
