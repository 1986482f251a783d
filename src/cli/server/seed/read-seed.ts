import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { AnyAddressString } from '../../../contract/address.js';
import { control } from '../../../contract/control/endpoints.js';
import { describeIssue } from '../../../contract/issues.js';
import { DomainName } from '../../../contract/service/domain-name.js';
import { CreateTemplate } from '../../../contract/service/templates.js';
import { CreateWebhook } from '../../../contract/service/webhooks.js';
import { type FaultPreset, faultPresetNames } from '../../../contract/vocabulary/faults/presets.js';
import { isJsonObject } from '../../../contract/vocabulary/json.js';
import { MEBIBYTE, REQUEST_BODY_BYTES } from '../../../contract/vocabulary/limits.js';
import { nearestName } from '../../../contract/vocabulary/nearest-name.js';
import { CommandError, UsageError } from '../../errors/exit-codes.js';
import { describeFileError } from '../../errors/fs-errors.js';
import { existingDirectory, requireTemplates, type TemplateFiles } from '../../templates/directory.js';
import { readTemplateDirs } from '../../templates/sync.js';

/** What a server contains from its start. */
export interface Seed extends SeedData {
  templates: TemplateFiles[];
  /** Paths of messages, in the order of their names. */
  messages: string[];
}

const TEMPLATES = 'templates';
const MAIL = 'mail';
const FILE = 'seed.json';

/**
 * Reads a directory with any of templates/, mail/*.eml and seed.json, and checks everything.
 * @throws UsageError or CommandError that names the file and what is wrong with it.
 */
export async function readSeed(path: string): Promise<Seed> {
  const directory = seedDirectory(path);
  const named = (name: string) => join(directory, name);
  const found = [TEMPLATES, MAIL, FILE].filter((name) => existsSync(named(name)));
  if (found.length === 0) {
    throw new UsageError(`--seed: ${directory} has neither ${TEMPLATES}/ nor ${MAIL}/ nor ${FILE}.`);
  }
  return {
    ...(found.includes(FILE) ? readSeedFile(named(FILE)) : NO_DATA),
    templates: found.includes(TEMPLATES) ? await readTemplates(named(TEMPLATES)) : [],
    messages: found.includes(MAIL) ? messagesIn(named(MAIL)) : [],
  };
}

function seedDirectory(path: string): string {
  try {
    return existingDirectory(path, process.cwd());
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`--seed: ${error.message}`);
    throw error;
  }
}

async function readTemplates(directory: string): Promise<TemplateFiles[]> {
  requireTemplates(existingDirectory(directory, '/'));
  const templates = [...(await readTemplateDirs(directory)).values()];
  for (const { directory: folder, name, subject, html, text } of templates) {
    const { error } = CreateTemplate.safeParse({ name, subject, html, text }, { error: describeIssue });
    const [issue] = error?.issues ?? [];
    if (!issue) continue;
    const field = String(issue.path[0]);
    const file = join(folder, { html: 'body.html', text: 'body.txt' }[field] ?? 'template.json');
    throw new CommandError(`${file}: ${field} ${issue.message}.`);
  }
  return templates;
}

function messagesIn(directory: string): string[] {
  const names = readdirSync(existingDirectory(directory, '/')).filter((name) => /\.eml$/i.test(name));
  if (names.length === 0) throw new CommandError(`${directory} does not contain any .eml files.`);
  const files = names.sort().map((name) => join(directory, name));
  for (const file of files) checkMessage(file);
  return files;
}

function checkMessage(file: string): void {
  let handle: number | undefined;
  try {
    // Opening a pipe would otherwise wait for a writer.
    handle = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(handle);
    if (!stats.isFile()) throw new CommandError(`${file} is not a file.`);
    if (stats.size === 0) throw new CommandError(`${file} is empty.`);
    if (stats.size > REQUEST_BODY_BYTES)
      throw new CommandError(`${file} is larger than ${REQUEST_BODY_BYTES / MEBIBYTE} MiB.`);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`Cannot read ${file}: ${describeFileError(error)}.`);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/**
 * Reads seed.json. Items have the form of the API's requests; a domain and a suppression may be just a text, and faults
 * the name of a preset.
 */

const DomainSeed = z.object({ domain: DomainName, verified: z.boolean().default(true) });
const SuppressionSeed = control['suppressions.create'].body;

const SeedFile = z.object({
  domains: z.array(z.union([DomainName.transform((domain) => ({ domain, verified: true })), DomainSeed])).default([]),
  suppressions: z.array(z.union([AnyAddressString.transform((address) => ({ address })), SuppressionSeed])).default([]),
  rules: z.array(control['rules.create'].body).default([]),
  webhooks: z.array(CreateWebhook).default([]),
  faults: z.array(z.union([z.enum(faultPresetNames), control['faults.create'].body])).default([]),
});

/** Requests as the API accepts them; durations are still texts. */
interface SeedData {
  domains: { domain: string; verified: boolean }[];
  suppressions: { address: string }[];
  rules: z.input<(typeof control)['rules.create']['body']>[];
  webhooks: CreateWebhook[];
  faults: (FaultPreset | z.input<(typeof control)['faults.create']['body']>)[];
}

const NO_DATA: SeedData = { domains: [], suppressions: [], rules: [], webhooks: [], faults: [] };

/** The fields of each kind of item. */
const ITEM_FIELDS: Record<keyof SeedData, readonly string[]> = {
  domains: Object.keys(DomainSeed.shape),
  suppressions: Object.keys(SuppressionSeed.shape),
  rules: Object.keys(control['rules.create'].body.shape),
  webhooks: Object.keys(CreateWebhook.shape),
  faults: Object.keys(control['faults.create'].body.shape),
};

/** @throws CommandError that names the file and the position in it. */
function readSeedFile(file: string): SeedData {
  const value = parse(file);
  refuseUnknownFields(file, value);
  const read = SeedFile.safeParse(value, { error: describeIssue });
  if (!read.success) {
    const problems = read.error.issues.map(describe);
    throw new CommandError(`${file}: ${problems.slice(0, 5).join('; ')}.`, 'Nothing was started. Correct the file.');
  }
  const { domains, suppressions } = read.data;
  // The server reads these, and so the form before validation is sent.
  const { rules = [], webhooks = [], faults = [] } = value as Partial<SeedData>;
  return { domains, suppressions, rules, webhooks, faults };
}

function parse(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`Cannot read ${file}: ${describeFileError(error)}.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
}

function refuseUnknownFields(file: string, value: unknown): void {
  if (!isJsonObject(value)) throw new CommandError(`${file} must contain a JSON object.`);
  refuseUnknown(file, '', value, Object.keys(ITEM_FIELDS));
  for (const [kind, fields] of Object.entries(ITEM_FIELDS)) {
    const items = value[kind];
    if (!Array.isArray(items)) continue;
    for (const [index, item] of items.entries()) {
      if (isJsonObject(item)) refuseUnknown(file, `${kind}[${index}].`, item, fields);
    }
  }
}

function refuseUnknown(file: string, path: string, item: Record<string, unknown>, known: readonly string[]): void {
  const unknown = Object.keys(item).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown, known);
  const advice = nearest === undefined ? `Fields: ${known.join(', ')}.` : `Did you mean ${nearest}?`;
  throw new CommandError(`${file}: ${path}${unknown} is not a field.`, advice);
}

/** Describes an issue with its path: `rules[1].outcome must be one of …`. In a union, that of the best matching form. */
function describe({ path, message, ...issue }: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.flat();
    const best = inner.find((each) => each.path.length > 0) ?? inner.find(({ code }) => code === 'custom') ?? inner[0];
    if (best) return describe({ ...best, path: [...path, ...best.path] });
  }
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return `${steps.join('').replace(/^\./, '') || 'the value'} ${message}`;
}
