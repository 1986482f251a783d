import { join, relative } from 'node:path';
import { Flags, type Interfaces } from '@oclif/core';
import type { Client } from '../../client/client.js';
import { render } from '../../contract/service/render-template.js';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import { merge, readVariableSources, variableFlags } from '../flags/variables.js';
import { readText } from '../process/files.js';
import { fileOf } from './check-templates.js';
import { codeFlag, readTemplateDir } from './directory.js';
import { type TemplateCompiler, withCompiler } from './sources/compiler.js';
import { SOURCE_FILES } from './sources/find-code.js';
import { requireMatchingVariables, type TemplatePart } from './strict-variables.js';

/** Renders a template with the variables of the flags, from its files or on the server. */

export const renderFlags = {
  ...variableFlags,
  ...codeFlag,
  'no-sample': Flags.boolean({ description: 'Ignore sample.json.' }),
  strict: Flags.boolean({
    description: 'Exit with 3 on missing or unused variables and malformed placeholders.',
  }),
};

export type RenderFlags = Interfaces.InferredFlags<typeof renderFlags>;

/** The files of a template directory that a rendering depends on. */
export const TEMPLATE_FILES: readonly string[] = [
  ...['template.json', 'body.html', 'body.txt', 'sample.json'],
  ...Object.keys(SOURCE_FILES),
];

/** Renders a template. Compiles its source with the compiler, or with one of its own. */
export async function renderDirectory(
  directory: string,
  flags: RenderFlags,
  compiler?: TemplateCompiler,
): Promise<RenderedTemplate> {
  if (!compiler) return withCompiler(directory, flags, (own) => renderDirectory(directory, flags, own));
  const template = await readTemplateDir(directory, compiler);
  const sources = await readVariableSources(flags);
  const name = (file: string) => relative('', join(directory, file)) || file;
  if (!flags['no-sample'] && template.sample !== null) {
    const text = await readText(undefined, join(directory, 'sample.json'));
    sources.unshift({ name: name('sample.json'), text, values: template.sample });
  }
  if (flags.strict) {
    const manifest = await readText(undefined, join(directory, 'template.json'));
    const parts = [
      { name: name('template.json'), text: manifest },
      { name: fileOf(template, 'html'), text: template.html },
      { name: name('body.txt'), text: template.text },
    ];
    requireMatchingVariables(parts, sources);
  }
  return render(template, merge(sources));
}

export async function renderOnServer(client: Client, id: string, flags: RenderFlags): Promise<RenderedTemplate> {
  const sources = await readVariableSources(flags);
  if (flags.strict) {
    const template = await client.call('templates.get', { params: { id } });
    const part = (field: 'subject' | 'html' | 'text'): TemplatePart => ({
      name: `${template.name} (${field})`,
      text: template[field],
    });
    requireMatchingVariables([part('subject'), part('html'), part('text')], sources);
  }
  return client.call('templates.render', { params: { id }, body: { variables: merge(sources) } });
}
