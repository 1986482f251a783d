import { Args, Flags } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { CommandError, UsageError } from '../../src/cli/errors/exit-codes.js';
import { oneLine } from '../../src/cli/output/text.js';
import { findTemplateDir, templatesIn } from '../../src/cli/templates/directory.js';
import { templateId } from '../../src/cli/templates/find.js';
import { renderDirectory, renderFlags, renderOnServer } from '../../src/cli/templates/render.js';
import { type OutputPlan, planOutput, writeOutput } from '../../src/cli/templates/render-output.js';
import { renderOnChange } from '../../src/cli/templates/watch-files.js';
import type { RenderedTemplate } from '../../src/contract/service/templates.js';

export default class TemplatesRender extends ClientCommand {
  static override summary = 'Render a template without sending it';

  static override description =
    'Looks for a directory first, as a path or under templates/, with template.json (name and subject), body.html, ' +
    'body.txt and sample.json; then for a template on the server. Variables come from sample.json, --vars and --var; later ' +
    'ones override earlier ones. With --strict, exits with 3 if a placeholder is malformed or a variable is missing or ' +
    'unused, and reports file, line and column.';

  static override exitCodes = {
    3: 'With --strict: a placeholder is malformed, or a variable is missing or unused.',
  };

  static override examples = [
    { description: 'Render with the sample data', command: '<%= config.bin %> templates render welcome' },
    { description: 'Override one variable', command: '<%= config.bin %> templates render welcome --var name=Ada' },
    { description: 'Print only the HTML', command: '<%= config.bin %> templates render welcome --html' },
    {
      description: 'Fail on missing or unused variables, in CI',
      command: '<%= config.bin %> templates render welcome --strict',
    },
    {
      description: 'Render to files again after each change',
      command: '<%= config.bin %> templates render welcome -o out/ --watch',
    },
  ];

  static override args = {
    template: Args.string({
      description: 'Template directory, name, ID (tpl_…), its last 6 or more characters, or latest.',
      required: true,
    }),
  };

  static override flags = {
    ...renderFlags,
    html: Flags.boolean({ description: 'Print only the HTML body.', exclusive: ['text', 'subject', 'json'] }),
    text: Flags.boolean({ description: 'Print only the plain-text body.', exclusive: ['html', 'subject', 'json'] }),
    subject: Flags.boolean({ description: 'Print only the subject.', exclusive: ['html', 'text', 'json'] }),
    output: Flags.string({
      char: 'o',
      description:
        'File to write (.html, .txt, .json, or any with --html, --text or --subject), or directory for all parts.',
      helpValue: 'FILE|DIR',
    }),
    watch: Flags.boolean({ description: 'Render again whenever a file in the directory changes, until Ctrl-C.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesRender);
    const directory = findTemplateDir(args.template, process.cwd());
    const part = (['html', 'text', 'subject'] as const).find((each) => flags[each]);
    const plan = flags.output === undefined ? undefined : planOutput(flags.output, part, directory);
    const show = (rendered: RenderedTemplate) => this.#show(rendered, part, plan);
    if (directory !== undefined) {
      if (flags.watch) return renderOnChange(directory, flags, { show, report: (error) => this.report(error) });
      return show(await renderDirectory(directory, flags));
    }
    if (flags.watch)
      throw new UsageError(`--watch requires a template directory; ${JSON.stringify(args.template)} is not one.`);
    const unknown = `Template directory ${JSON.stringify(args.template)} not found, here or under templates/`;
    if (/[\\/]/.test(args.template) || args.template.startsWith('.')) throw new CommandError(`${unknown}.`);
    await this.withClient(flags, async (client) => {
      const id = await templateId(client, args.template, {
        unknown: `${unknown}, and the server has no template of that name.`,
        extraNames: templatesIn('templates'),
        toRead: true,
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
}
