import { join } from 'node:path';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import { UsageError } from '../errors/exit-codes.js';
import { jsonFileOf } from '../flags/values/json-input.js';
import { runUntilStopped } from '../process/until-stopped.js';
import { type RenderFlags, renderDirectory, TEMPLATE_FILES } from './render.js';
import { withCompiler } from './sources/compiler.js';
import { watchFiles } from './watch-files.js';

interface Receiver {
  show(rendered: RenderedTemplate): void;
  report(error: Error): void;
}

/** Renders a template directory, and again after each change of its files or of the variables' file, until a signal. */
export async function renderOnChange(directory: string, flags: RenderFlags, { show, report }: Receiver): Promise<void> {
  const vars = flags.vars === undefined ? undefined : jsonFileOf(flags.vars);
  if (flags.vars === '-' || flags.vars === '@-') throw new UsageError('--watch cannot read stdin more than once.');
  const files = [...TEMPLATE_FILES.map((file) => join(directory, file)), ...(vars === undefined ? [] : [vars])];
  await runUntilStopped(async (signal) => {
    await withCompiler(directory, flags, async (compiler) => {
      for await (const _ of watchFiles(files, signal)) {
        compiler.forget();
        // An error is shown; the next change is rendered again.
        await renderDirectory(directory, flags, compiler).then(show).catch(report);
      }
    });
  });
}
