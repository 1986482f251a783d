import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { FileChecks } from '../../app/file-checks.js';
import type {
  PreviewChoice,
  PreviewFolder,
  SentPreview,
  TemplatePreview,
} from '../../contract/control/template-preview.js';
import { render, type TemplateSource } from '../../contract/service/render-template.js';
import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { inboxUrl } from '../../contract/vocabulary/inbox.js';
import { placeholdersIn } from '../../contract/vocabulary/placeholders.js';
import { siteOf } from '../../contract/vocabulary/routes.js';
import { utf8Length } from '../../contract/vocabulary/text.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';
import { emailPath } from '../inbox/inbox-link.js';
import { chooseTarget, openChoice } from '../target/target.js';
import { checkTemplate, sampleTemplate } from './check-content.js';
import { readTemplateDir, samplesIn, templateFolders } from './directory.js';
import type { TemplateCompiler } from './sources/compiler.js';

/** Reads a folder of templates for the page of `svc templates dev`. Only compiled sources are kept, until a file changes. */

const SENDER = 'svc <templates@svc.test>';

/** Returns the functions that the page's server calls. They throw errors that it can report. */
export function previewSource(directory: string, checks: FileChecks, compiler: TemplateCompiler) {
  const readChoice = (choice: PreviewChoice) => readFiles(directory, choice, compiler);
  return {
    folder: reported(async (): Promise<PreviewFolder> => ({ directory, templates: templatesOf(directory) })),
    render: reported(async (choice: PreviewChoice): Promise<TemplatePreview> => {
      const { values, ...template } = await readChoice(choice);
      const names = new Set(partsOf(template).flatMap((part) => placeholdersIn(part).map(({ name }) => name)));
      const missing = [...names].filter((name) => !Object.hasOwn(values, name));
      const rendered = render(template, {
        ...values,
        ...Object.fromEntries(missing.map((name) => [name, `{{${name}}}`])),
      });
      return {
        ...rendered,
        name: template.name,
        digest: createHash('sha256').update(rendered.html).digest('base64url'),
        htmlBytes: utf8Length(rendered.html),
        missing,
        unused: Object.keys(values).filter((name) => !names.has(name)),
      };
    }),
    check: reported(async (choice: PreviewChoice) => {
      const { values: _, ...template } = await readChoice(choice);
      const sampled = await sampleTemplate(template);
      const result = await checkTemplate(sampled, checks);
      if ('problem' in result) throw new CommandError(result.problem);
      return result;
    }),
    send: reported(async (choice: PreviewChoice, to: string): Promise<SentPreview> => {
      const { values, ...template } = await readChoice(choice);
      return sendToLocalServer(render(template, values), to);
    }),
  };
}

/** Returns the directories that a preview depends on, to watch them. */
export function directoriesOf(directory: string, compiler: TemplateCompiler): string[] {
  return [...new Set([directory, ...templateDirectories(directory), ...compiler.directories()])];
}

/** Returns the directories of templates; none if one cannot be read, as `folder` reports. */
function templateDirectories(directory: string): string[] {
  try {
    return templateFolders(directory).map(({ id }) => join(directory, id));
  } catch {
    return [];
  }
}

function templatesOf(directory: string): PreviewFolder['templates'] {
  return templateFolders(directory).map(({ id, files }) => ({
    id,
    samples: samplesIn(files),
  }));
}

/** @throws UsageError if the folder has no such template or sample, or a file cannot be used. */
async function readFiles(directory: string, { template, sample }: PreviewChoice, compiler: TemplateCompiler) {
  const found = templatesOf(directory).find(({ id }) => id === template);
  if (!found) throw new UsageError(`${directory} has no template ${JSON.stringify(template)}.`);
  if (sample !== '' && !found.samples.includes(sample)) {
    throw new UsageError(`${template} has no file ${JSON.stringify(sample)}.`);
  }
  const files = await readTemplateDir(join(directory, template), compiler, sample === '' ? null : sample);
  return { ...files, values: files.sample ?? {} };
}

function partsOf({ subject, html, text }: TemplateSource): string[] {
  return [subject, html, text];
}

/** Sends to the local server that is in use here, and to no other service. */
async function sendToLocalServer(content: TemplateSource, to: string): Promise<SentPreview> {
  const choice = await chooseTarget({}, process.env, process.cwd());
  if (choice.kind === 'embedded') {
    throw new UsageError('No local server is running.', 'Start one with "svc dev" in the same directory.');
  }
  if (choice.kind === 'remote') {
    throw new UsageError(
      'The page sends to a local server only.',
      `Commands here use ${choice.baseUrl}: ${choice.why}. Use "svc emails send" for it.`,
    );
  }
  const target = await openChoice(choice);
  try {
    const { id } = await target.client.call('emails.send', { body: { to, from: SENDER, ...content } });
    return { url: inboxUrl(siteOf(choice.baseUrl), emailPath(id)) };
  } finally {
    await target.finish();
  }
}

/** Returns the function with the errors of files as errors of a server. */
function reported<Args extends unknown[], Result>(read: (...args: Args) => Promise<Result>) {
  return async (...args: Args): Promise<Result> => {
    try {
      return await read(...args);
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      const { message, hint = '', details = [] } = error as Error & { hint?: string; details?: ErrorDetail[] };
      const lines = details.map(({ path, message: each }) => `${path}: ${each}`);
      throw new ServiceError('invalid', [message, ...lines].join('\n'), undefined, hint);
    }
  };
}
