import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { FileChecks } from '../../app/file-checks.js';
import type { CheckPlace } from '../../contract/control/emails/check.js';
import { render, type TemplateSource } from '../../contract/service/render-template.js';
import type { RenderedTemplate } from '../../contract/service/templates.js';
import type { Variables } from '../../contract/service/variables.js';
import type { ClientViewId } from '../../contract/vocabulary/client-views.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import {
  brokenPlaceholderAt,
  brokenPlaceholdersIn,
  PLACEHOLDER,
  placeholdersIn,
} from '../../contract/vocabulary/placeholders.js';
import { escapeHtml, plural, textPosition } from '../../contract/vocabulary/text.js';
import type { Comparison } from '../../pictures/baseline.js';
import { listViews } from '../emails/check/check-file.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { keyIndex } from '../flags/values/json-input.js';
import { readText } from '../process/files.js';
import { fileOf, refusalsOf, type SampledTemplate } from './check-templates.js';
import {
  existingDirectory,
  readSample,
  readTemplateDir,
  requireTemplates,
  samplesIn,
  type TemplateFiles,
  templateFolders,
} from './directory.js';
import { CodeRefusedError, type CompilerOptions, type TemplateCompiler, withCompiler } from './sources/compiler.js';
import { missingIn } from './strict-variables.js';
import { requireNames } from './sync.js';
import { type FilePlace, mergeReports, PLACES_MAX, type SampleReport, type TemplateReport } from './template-report.js';

/** A template that cannot be read, or whose content exceeds the limits of checks. */
interface UncheckedTemplate {
  name: string;
  directory: string;
  problem: string;
  /** The next step. */
  hint?: string | undefined;
  pictures?: Comparison[];
}

export type TemplateResult = TemplateReport | UncheckedTemplate;

type Part = keyof TemplateSource;
const PARTS: readonly Part[] = ['subject', 'html', 'text'];

/** Returns the templates of a directory, or those that are named. @throws UsageError if one does not exist. */
export async function chosenTemplates(
  path: string,
  names: readonly string[],
  flags: CompilerOptions,
): Promise<(SampledTemplate | UncheckedTemplate)[]> {
  const directory = existingDirectory(path, process.cwd());
  requireTemplates(directory);
  const all = await withCompiler(directory, flags, (compiler) => readSampled(directory, compiler));
  // A link to a directory of a template is not followed.
  if (all.length === 0)
    throw new UsageError(`${directory} only has links to templates.`, 'Name the directory they lead to.');
  requireNames(names, all.map(nameOf), ` in ${directory}`);
  return all.filter((each) => names.length === 0 || names.includes(nameOf(each)));
}

function nameOf(each: SampledTemplate | UncheckedTemplate): string {
  return 'problem' in each ? each.name : each.template.name;
}

/** Reads the templates of a directory. One that cannot be checked has the reason, and the others are checked. */
async function readSampled(
  directory: string,
  compiler: TemplateCompiler,
): Promise<(SampledTemplate | UncheckedTemplate)[]> {
  const names = new Map<string, string>();
  const read = await Promise.all(
    templateFolders(directory).map(async ({ id }) => {
      const path = join(directory, id);
      try {
        return await withSamples(await readTemplateDir(path, compiler, null));
      } catch (error) {
        if (error instanceof CodeRefusedError || !(error instanceof UsageError || error instanceof CommandError))
          throw error;
        return { name: id, directory: path, problem: error.message, hint: error.hint };
      }
    }),
  );
  return read.map((each) => {
    if ('problem' in each) return each;
    const { name, directory: path } = each.template;
    const other = names.get(name);
    names.set(name, path);
    return other === undefined ? each : { name, directory: path, problem: `${other} has the same name.` };
  });
}

/** Returns a template with all of its samples. @throws UsageError if one cannot be read or used. */
async function withSamples(template: TemplateFiles): Promise<SampledTemplate> {
  const files = samplesIn(readdirSync(template.directory));
  const all: SampledTemplate[] = [];
  for (const file of files) {
    const sample = await readSample(join(template.directory, file));
    all.push(await sampleTemplate({ ...template, sample }, file));
  }
  const [first, ...others] = all;
  return first ? { ...first, others } : sampleTemplate(template);
}

/** @throws UsageError if the service would refuse the template, or its sample data. */
export async function sampleTemplate(template: TemplateFiles, sample = 'sample.json'): Promise<SampledTemplate> {
  const [refusal] = await refusalsOf(template);
  if (refusal) throw new UsageError(`${refusal.path}: ${refusal.message}.`, 'The service would refuse this template.');
  const values = { ...standIns(template), ...template.sample };
  return { template, sample, values, rendered: renderSample(template, values, sample), others: [] };
}

/** Checks a template with all of its samples. The views of mail clients are those of the first. */
export async function checkTemplate(
  sampled: SampledTemplate,
  checks: Pick<FileChecks, 'checkContent' | 'showAsClient'>,
  clients: readonly ClientViewId[] = [],
): Promise<TemplateResult> {
  const reports: SampleReport[] = [];
  for (const each of [sampled, ...sampled.others]) {
    const report = await checkSample(each, checks, each === sampled ? clients : []);
    if ('problem' in report) return report;
    reports.push({ sample: each.sample, report });
  }
  return mergeReports(reports);
}

async function checkSample(
  { template, values, rendered }: SampledTemplate,
  checks: Pick<FileChecks, 'checkContent' | 'showAsClient'>,
  clients: readonly ClientViewId[],
): Promise<TemplateResult> {
  const { name, directory } = template;
  const checked = await checks.checkContent(rendered, [sampleFinding(template)]);
  if ('problem' in checked) return { name, directory, problem: checked.problem };
  const { report } = checked;
  const manifest = await readText(undefined, join(directory, 'template.json'));
  const positions = {
    subject: () => textPosition(manifest, keyIndex(manifest, 'subject')),
    html: positionsIn(template.html, rendered.html, (key) => escapeHtml(String(values[key]))),
    text: positionsIn(template.text, rendered.text, (key) => String(values[key])),
  };
  const inFile = (place: CheckPlace, isSource: boolean): FilePlace => {
    // Templates have no header fields.
    const part = place.source as Part;
    const position = isSource && part !== 'subject' ? place : positions[part](place);
    const { line, column } = position;
    return { ...place, line, column, file: fileOf(template, part) };
  };
  const { checks: results, html_support } = report;
  const views = clients.length > 0 ? await listViews(name, rendered, clients, checks) : undefined;
  return {
    name,
    directory,
    ...report,
    checks: results.map((check) => ({
      ...check,
      where: check.where.map((place) => inFile(place, check.id === SAMPLE_DATA)),
    })),
    ...(views && {
      views: views.map((view) => ({
        ...view,
        differences: view.differences.map((each) => ({ ...each, where: each.where.map((at) => inFile(at, false)) })),
      })),
    }),
    html_support: html_support && {
      ...html_support,
      features: html_support.features.map((feature) => ({
        ...feature,
        where: feature.where.map((place) => inFile(place, false)),
      })),
    },
  };
}

const SAMPLE_DATA = 'sample-data';

/** Returns the result of comparing the placeholders with the sample data. */
function sampleFinding(template: TemplateFiles) {
  const values = template.sample ?? {};
  const found = PARTS.flatMap((source) => {
    const text = template[source];
    const missing = missingIn(text, [{ values }]).map(({ name, index }) => ({
      ...{ index, excerpt: `{{${name}}}`, note: 'no value' },
    }));
    const broken = Array.from(brokenPlaceholdersIn(text), (index) => ({
      ...{ index, excerpt: brokenPlaceholderAt(text, index), note: 'not a placeholder' },
    }));
    return [...missing, ...broken].map(({ index, ...about }) => ({ source, ...textPosition(text, index), ...about }));
  });
  const missing = found.filter(({ note }) => note === 'no value').length;
  const place = template.sample === null ? ': the template has no sample.json' : ' in the sample data';
  const broken = found.length - missing;
  const problems = [
    missing > 0 && `${plural(missing, 'placeholder')} without a value${place}.`,
    broken > 0 && `${plural(broken, 'invalid placeholder')}, sent unchanged.`,
  ].filter(Boolean);
  const details = problems.join(' ') || 'Each placeholder has a value.';
  return {
    id: SAMPLE_DATA,
    passed: found.length === 0,
    details,
    count: found.length,
    where: found.slice(0, PLACES_MAX),
  };
}

/** Returns values for all placeholders, to use where the sample data has none. Their links are complete. */
function standIns(template: TemplateSource): Variables {
  const found = PARTS.flatMap((part) => placeholdersIn(template[part]));
  return Object.fromEntries(found.map(({ name }) => [name, `https://example.com/${name}`]));
}

function renderSample(template: TemplateFiles, values: Variables, sample: string): RenderedTemplate {
  try {
    return render(template, values);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new UsageError(
      `Cannot render ${template.directory} with its ${sample}. ${error.message}`,
      `Correct the values in ${sample}.`,
    );
  }
}

/** Returns a function that finds the position in a text of a position after its placeholders were replaced. */
function positionsIn(source: string, rendered: string, filled: (name: string) => string) {
  const lines = rendered.split('\n');
  const placeholders = Array.from(source.matchAll(PLACEHOLDER), ({ 0: written, 1: name = '', index }) => ({
    index,
    added: filled(name).length - written.length,
    length: filled(name).length,
  }));
  return ({ line, column }: Pick<CheckPlace, 'line' | 'column'>) => {
    const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    let index = before + column - 1;
    for (const { index: start, added, length } of placeholders) {
      if (index < start) break;
      // A position within a value is that of its placeholder.
      index = index < start + length ? start : index - added;
      if (index === start) break;
    }
    return textPosition(source, index);
  };
}
