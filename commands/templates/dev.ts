import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { CommandError, exitCodes } from '../../src/cli/errors/exit-codes.js';
import { printFlag } from '../../src/cli/flags/shared.js';
import { openInBrowser } from '../../src/cli/process/open-browser.js';
import { AsyncSignal, runUntilStopped } from '../../src/cli/process/signals.js';
import { codeFlag, existingDirectory, requireTemplates } from '../../src/cli/templates/directory.js';
import { TemplateCompiler } from '../../src/cli/templates/sources/compiler.js';
import { watchDirectories } from '../../src/cli/templates/watch-files.js';
import { PORT_MAX } from '../../src/contract/vocabulary/limits.js';

const PORT = 8026;

export default class TemplatesDev extends BaseCommand {
  static override summary = 'Show template files in the browser while they are written';

  static override description =
    'Starts a page on this machine with all templates of a directory, rendered with their sample data and renewed with ' +
    'each save: in several widths, in light and dark mode, with checks and plain text. A template can have several ' +
    'samples, as sample.json and sample.NAME.json. The page writes no file; its button sends to the local server.';

  static override examples = [
    '<%= config.bin %> templates dev ./emails',
    { description: 'Print the address only', command: '<%= config.bin %> templates dev ./emails --print' },
  ];

  static override args = {
    directory: Args.string({ description: 'Directory that contains the template directories.', default: 'templates' }),
  };

  static override flags = {
    ...printFlag,
    ...codeFlag,
    port: Flags.integer({
      description: `Port of the page; 0 selects a free port (default: ${PORT}, or a free port if it is taken).`,
      min: 0,
      max: PORT_MAX,
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesDev);
    const directory = existingDirectory(args.directory, process.cwd());
    requireTemplates(directory);
    await runUntilStopped(async (signal) => {
      const { createTemplatePreview } = await import('../../src/app/template-preview.js');
      const { directoriesOf, previewSource } = await import('../../src/cli/templates/preview-source.js');
      const changed = new AsyncSignal();
      const compiler = new TemplateCompiler(directory, { ...flags, onNewInputs: () => changed.notify() });
      const startAt = (port: number) =>
        createTemplatePreview(port, (checks) => previewSource(directory, checks, compiler));
      const server = await startAt(flags.port ?? PORT).catch((error: NodeJS.ErrnoException) => {
        const isTaken = error.code === 'EADDRINUSE';
        if (isTaken && flags.port === undefined) return startAt(0);
        const reason = isTaken ? 'is already in use' : `cannot be used: ${error.message}`;
        throw new CommandError(`Port ${flags.port ?? PORT} ${reason}.`, 'Choose another with --port.');
      });
      try {
        const { url } = server;
        this.print({ url, directory }, () => `${url}\n`);
        if (!flags.print && !(await openInBrowser(url, process.env))) this.info('Open this address in a browser.');
        this.status(`Watching ${directory}; stop with Ctrl-C.`);
        const directories = () => directoriesOf(directory, compiler);
        for await (const _ of watchDirectories(directories, signal, undefined, changed)) {
          compiler.forget();
          server.changed();
        }
      } finally {
        compiler.close();
        await server.close();
      }
    });
    // As with svc dev, to be stopped is its normal end.
    process.exitCode = exitCodes.done;
  }
}
