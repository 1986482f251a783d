import { join } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/client-command.js';
import { CommandError, UsageError } from '../../src/cli/exit-codes.js';
import { fileChanges } from '../../src/cli/file-changes.js';
import { templateId } from '../../src/cli/find-template.js';
import { jsonFileOf } from '../../src/cli/json-input.js';
import { type OutputPlan, planOutput, writeOutput } from '../../src/cli/render-output.js';
import { type RenderFlags, renderDirectory, renderOnServer, TEMPLATE_FILES } from '../../src/cli/render-template.js';
import { untilStopped } from '../../src/cli/stopping.js';
import { findTemplateDir, templatesIn } from '../../src/cli/template-dir.js';
import { oneLine } from '../../src/cli/text.js';
import { variableFlags } from '../../src/cli/variable-flags.js';
import type { RenderedTemplate } from '../../src/contract/template.js';

export default class TemplatesRender extends ClientCommand {
  static override summary = 'Render a template with variables, without sending';

  static override description =
    `A directory comes first, as a path or under templates/: template.json with name and subject, body.html, body.txt and
sample.json. Else it is a template of the server, by name or tpl_ id. Variables come from sample.json, then --vars, then
--var; the later wins. With --strict, exit code 3 says that a placeholder is broken or has no value, or a value no placeholder, each with
file, line and column.`;

  static override exitCodes = {
    3: 'With --strict: a placeholder is broken or has no value, or a value no placeholder.',
  };

  static override examples = [
    { description: 'With its own sample', command: '<%= config.bin %> templates render welcome' },
    { description: 'With a value of yours', command: '<%= config.bin %> templates render welcome --var name=Ada' },
    { description: 'The HTML alone', command: '<%= config.bin %> templates render welcome --html' },
    {
      description: 'In CI: nothing missing, nothing left over',
      command: '<%= config.bin %> templates render welcome --strict',
    },
    {
      description: 'Into files, again at each change',
      command: '<%= config.bin %> templates render welcome -o out/ --watch',
    },
  ];

  static override args = {
    template: Args.string({ description: 'A directory, a name, or a tpl_ id.', required: true }),
  };

  static override flags = {
    ...variableFlags,
    'no-sample': Flags.boolean({ description: 'Leave sample.json aside.' }),
    strict: Flags.boolean({
      description: 'Fail, with exit code 3, on missing and unused variables and on broken placeholders.',
    }),
    html: Flags.boolean({ description: 'Print the HTML alone.', exclusive: ['text', 'subject', 'json'] }),
    text: Flags.boolean({ description: 'Print the plain text alone.', exclusive: ['html', 'subject', 'json'] }),
    subject: Flags.boolean({ description: 'Print the subject alone.', exclusive: ['html', 'text', 'json'] }),
    output: Flags.string({
      char: 'o',
      description: 'Write to a file (.html, .txt, .json, or any with --html, --text, --subject) or all to a directory.',
      helpValue: 'FILE|DIR',
    }),
    watch: Flags.boolean({ description: 'Render again whenever a file of the directory changes, until ^C.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesRender);
    const directory = findTemplateDir(args.template, process.cwd());
    const part = (['html', 'text', 'subject'] as const).find((each) => flags[each]);
    const plan = flags.output === undefined ? undefined : planOutput(flags.output, part, directory);
    const show = (rendered: RenderedTemplate) => this.#show(rendered, part, plan);
    if (directory !== undefined) {
      if (flags.watch) return this.#watch(directory, flags, show);
      return show(await renderDirectory(directory, flags));
    }
    if (flags.watch)
      throw new UsageError(`--watch needs a template directory; ${JSON.stringify(args.template)} is none.`);
    const unknown = `There is no template directory ${JSON.stringify(args.template)}, neither here nor under templates/`;
    if (/[\\/]/.test(args.template) || args.template.startsWith('.')) throw new CommandError(`${unknown}.`);
    await this.withClient(flags, async (client) => {
      const id = await templateId(client, args.template, {
        unknown: `${unknown}, and none of that name on the server.`,
        also: templatesIn('templates'),
      });
      show(await renderOnServer(client, id, flags));
    });
  }

  #show(rendered: RenderedTemplate, part: keyof RenderedTemplate | undefined, plan: OutputPlan | undefined): void {
    if (plan) {
      writeOutput(plan, rendered);
      const files = plan.map(({ path }) => path);
      this.print({ files }, () => files.map((file) => `${file}\n`).join(''));
      return;
    }
    if (part) this.printContent(rendered, rendered[part]);
    else this.print(rendered, () => `Subject: ${oneLine(rendered.subject)}\n\n${rendered.text || rendered.html}\n`);
  }

  async #watch(directory: string, flags: RenderFlags, show: (rendered: RenderedTemplate) => void): Promise<void> {
    const vars = flags.vars === undefined ? undefined : jsonFileOf(flags.vars);
    if (flags.vars === '-' || flags.vars === '@-') throw new UsageError('--watch cannot read stdin more than once.');
    const files = [...TEMPLATE_FILES.map((file) => join(directory, file)), ...(vars === undefined ? [] : [vars])];
    await untilStopped(async (signal) => {
      for await (const _ of fileChanges(files, signal)) {
        // What is wrong with it is shown, and mended with the next change.
        await renderDirectory(directory, flags)
          .then(show)
          .catch((error: Error) => this.report(error));
      }
    });
  }
}
