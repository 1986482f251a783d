import { join, relative } from 'node:path';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import type { Variables } from '../../contract/service/variables.js';
import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import { TEMPLATE_CONTENT_BYTES } from '../../contract/vocabulary/limits.js';
import { utf8Length } from '../../contract/vocabulary/text.js';
import type { Comparison } from '../../pictures/baseline.js';
import { type ComparisonFlags, pictureName, withPictures } from '../emails/pictures.js';
import type { TemplateFiles } from './directory.js';
import { brokenPlaceholders } from './strict-variables.js';
import type { Sync, SyncStep } from './sync.js';

/** Checks the templates that a push would send, with the rules of the service. */

export interface TemplateProblems {
  /** What the server would refuse, by template and file. */
  errors: ErrorDetail[];
  /** Placeholders that are sent as they are, by file, line and column. */
  warnings: ErrorDetail[];
}

const files = { name: 'template.json', subject: 'template.json', html: 'body.html', text: 'body.txt' } as const;

export async function checkTemplates(plan: readonly SyncStep[], { sides }: Sync): Promise<TemplateProblems> {
  const found: TemplateProblems = { errors: [], warnings: [] };
  for (const { name, action } of plan) {
    const local = sides.get(name)?.local;
    if (!local || (action !== 'create' && action !== 'update')) continue;
    found.errors.push(...(await refusalsOf(local)));
    const parts = (['subject', 'html', 'text'] as const).map((field) => ({
      name: field === 'subject' ? `${fileOf(local, field)} (subject)` : fileOf(local, field),
      text: local[field],
    }));
    found.warnings.push(...brokenPlaceholders(parts));
  }
  return found;
}

/** Returns what the service would refuse in a template, by file. */
export async function refusalsOf(local: TemplateFiles): Promise<ErrorDetail[]> {
  // Loaded only with templates to send.
  const { CreateTemplate } = await import('../../contract/service/templates.js');
  const { name, subject, html, text } = local;
  const issues = CreateTemplate.safeParse({ name, subject, html, text }).error?.issues ?? [];
  return issues.map(({ path: [field], message }) => {
    const part = field as keyof typeof files;
    const bytes = utf8Length(local[part]);
    const about = files[part] === 'template.json' ? `${part} ` : '';
    return {
      path: fileOf(local, part),
      message:
        part !== 'name' && bytes > TEMPLATE_CONTENT_BYTES
          ? `${about}has ${inDigits(bytes)} bytes in UTF-8; the limit is ${inDigits(TEMPLATE_CONTENT_BYTES)}`
          : `${about}${message}`,
    };
  });
}

/** Returns the path of the file with a field, from the working directory. Positions in compiled HTML are not its own. */
export function fileOf({ directory, code }: TemplateFiles, field: keyof typeof files): string {
  if (field === 'html' && code) return `${relative(process.cwd(), code.file)} (compiled)`;
  return relative(process.cwd(), join(directory, files[field])) || files[field];
}

function inDigits(count: number): string {
  return count.toLocaleString('en-US');
}

/** Compares the pictures of templates, one for each sample, with those in a directory. Returns them by template. */
export async function comparePictures(
  templates: readonly SampledTemplate[],
  folder: string,
  flags: ComparisonFlags,
): Promise<Comparison[][]> {
  const { dark, width, mask, threshold, update } = flags;
  const options = { dark, width, mask, threshold, update, howToUpdate: 'add --update' };
  const results: Comparison[][] = [];
  await withPictures(flags['no-sandbox'], async (pictures) => {
    const { compareWithBaseline } = await import('../../pictures/baseline.js');
    for (const each of templates) {
      const ofTemplate: Comparison[] = [];
      for (const { template, sample, rendered } of [each, ...each.others]) {
        const file = join(folder, pictureName(template.directory, { dark, width, sample }));
        ofTemplate.push(await compareWithBaseline(pictures, file, rendered, options));
      }
      results.push(ofTemplate);
    }
  });
  return results;
}

/** A template that the service would accept, rendered with its sample data. */
export interface SampledTemplate {
  template: TemplateFiles;
  /** The file with the sample data. */
  sample: string;
  values: Variables;
  rendered: RenderedTemplate;
  /** The same template with its other samples. */
  others: SampledTemplate[];
}
