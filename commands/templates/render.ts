import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/base-command.js';
import { findTemplateDir, readTemplateDir, readVariableFlags, readVariablesFile } from '../../src/cli/template-dir.js';
import { oneLine, safeText } from '../../src/cli/text.js';
import { render } from '../../src/contract/render.js';

export default class TemplatesRender extends BaseCommand {
  static override summary = 'Render a template directory with variables';

  static override description =
    'The template is a directory: template.json with name and subject, body.html, body.txt and ' +
    'sample.json. It is looked for as a path, then under templates/. Variables come from sample.json, ' +
    'then --vars, then --var; the later wins.';

  static override examples = [
    { description: 'With its own sample', command: '<%= config.bin %> templates render welcome' },
    { description: 'With a value of yours', command: '<%= config.bin %> templates render welcome --var name=Ada' },
    { description: 'The HTML alone', command: '<%= config.bin %> templates render welcome --html' },
  ];

  static override args = {
    template: Args.string({ description: 'A directory, or the name of one under templates/.', required: true }),
  };

  static override flags = {
    var: Flags.string({
      description: 'A variable, as name=value; repeatable.',
      multiple: true,
      helpValue: 'NAME=VALUE',
    }),
    vars: Flags.string({ description: 'JSON file of variables; - for stdin.', helpValue: 'FILE' }),
    'no-sample': Flags.boolean({ description: 'Leave sample.json aside.' }),
    html: Flags.boolean({ description: 'Print the HTML alone.', exclusive: ['text', 'subject', 'json'] }),
    text: Flags.boolean({ description: 'Print the plain text alone.', exclusive: ['html', 'subject', 'json'] }),
    subject: Flags.boolean({ description: 'Print the subject alone.', exclusive: ['html', 'text', 'json'] }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TemplatesRender);
    const template = await readTemplateDir(findTemplateDir(args.template, process.cwd()));
    const variables = {
      ...(flags['no-sample'] ? {} : template.sample),
      ...(flags.vars === undefined ? {} : await readVariablesFile(flags.vars)),
      ...readVariableFlags(flags.var ?? []),
    };
    const rendered = render(template, variables);
    this.print(rendered, () => {
      if (flags.html) return `${rendered.html}\n`;
      if (flags.text) return `${rendered.text}\n`;
      if (flags.subject) return `${rendered.subject}\n`;
      return `Subject: ${oneLine(rendered.subject)}\n\n${safeText(rendered.text || rendered.html)}\n`;
    });
  }
}
