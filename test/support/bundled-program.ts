import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './cli/binary.js';

export interface BundledProgram {
  /** The program, for Node.js. */
  file: string;
  remove(): void;
}

/** Bundles a program of the tests for a process of its own, since Node.js does not run its sources. */
export async function bundledProgram(entry: string): Promise<BundledProgram> {
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.svc-program-'));
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outdir: folder,
    entryNames: 'program',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // A part that is imported when it is needed stays one.
    splitting: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    loader: { '.sql': 'text' },
    logLevel: 'warning',
  });
  return { file: join(folder, 'program.mjs'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
