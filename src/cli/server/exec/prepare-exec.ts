import { checkOutputFile } from '../../process/output-file.js';
import { prepareReportFile } from '../report/report.js';
import type { Seed } from '../seed/read-seed.js';
import { summaryFile } from './summary-flag.js';

/** Reads and checks files that flags name, before anything is started. */

interface FileFlags {
  seed?: string | undefined;
  junit?: string | undefined;
  artifacts?: string | undefined;
  summary?: string | undefined;
}

export interface PreparedExec {
  /** The contents of the seed, and the domains of it that the server is started with. */
  seed: { contents: Seed; domains: string[] } | undefined;
  /** The path of the artifacts' directory. */
  artifacts: string | undefined;
}

/** @throws UsageError or CommandError if a file cannot be read or written. Loads only what the flags need. */
export async function prepareExec({ seed, junit, artifacts, summary }: FileFlags): Promise<PreparedExec> {
  if (junit !== undefined) prepareReportFile(junit);
  const file = summary === undefined ? undefined : summaryFile(summary, process.env);
  if (file) checkOutputFile(file.file, '--summary');
  return { seed: seed === undefined ? undefined : await prepareSeed(seed), artifacts: await checkArtifacts(artifacts) };
}

/** Reads a seed. @throws UsageError or CommandError if it cannot be used. */
export async function prepareSeed(path: string): Promise<NonNullable<PreparedExec['seed']>> {
  const [{ readSeed }, { verifiedDomains }] = await Promise.all([
    import('../seed/read-seed.js'),
    import('../seed/apply-seed.js'),
  ]);
  const contents = await readSeed(path);
  return { contents, domains: verifiedDomains(contents) };
}

async function checkArtifacts(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return (await import('./artifacts/artifact-directory.js')).checkArtifactDirectory(path);
}
