import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import Module, { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/**
 * Compiles MJML and React Email in a process of its own, with the packages of the template's project. What it runs is
 * not svc's code, so the process has none of svc's keys.
 */

export interface CompileRequest {
  kind: 'mjml' | 'react';
  /** The path of the source. */
  file: string;
}

/** The position of a fault in a source. Lines and columns count from 1. */
interface SourcePlace {
  file: string;
  line?: number | undefined;
  column?: number | undefined;
}

export type CompileResponse =
  /** `inputs` are the paths of all files that the HTML was made of, without packages. */
  { html: string; inputs: string[] } | { message: string; place?: SourcePlace | undefined; inputs: string[] };

/** Compiles what the parent process sends, one source at a time, until the parent ends. */
export function main(exit: (code?: number) => never): void {
  process.setSourceMapsEnabled(true);
  process.on('disconnect', () => exit());
  process.on('message', (request: CompileRequest) => {
    void compile(request).then((response) => process.send?.(response));
  });
}

async function compile({ kind, file }: CompileRequest): Promise<CompileResponse> {
  const inputs = new Set([file]);
  try {
    const html = await (kind === 'mjml' ? compileMjml(file, inputs) : compileReact(file, inputs));
    if (typeof html !== 'string') throw new Error('The compiler did not return a text.');
    return { html, inputs: [...inputs] };
  } catch (error) {
    return { ...describe(error, dirname(file), inputs), inputs: [...inputs] };
  }
}

type Mjml = (
  source: string,
  options: Record<string, unknown>,
) => Promise<{ html: string; errors: { formattedMessage: string }[] }>;

async function compileMjml(file: string, inputs: Set<string>): Promise<string> {
  const require = createRequire(file);
  const loaded = require('mjml') as Mjml | { default: Mjml };
  const mjml = typeof loaded === 'function' ? loaded : loaded.default;
  await addIncludes(file, inputs);
  // The project may include all of its files.
  const modules = require.resolve.paths('mjml')?.find((path) => existsSync(join(path, 'mjml')));
  const includePath = [dirname(modules ?? file)];
  const options = { filePath: file, ignoreIncludes: false, includePath, validationLevel: 'soft' };
  const { html, errors } = await mjml(await readFile(file, 'utf8'), options);
  const [first] = errors;
  if (first) throw new Error(`${first.formattedMessage}${more(errors)}`);
  return html;
}

/** Adds the files that MJML includes, and theirs. One that cannot be read is reported by the compiler. */
async function addIncludes(file: string, inputs: Set<string>): Promise<void> {
  const source = await readFile(file, 'utf8').catch(() => '');
  for (const element of source.split('<mj-include').slice(1)) {
    const [, path = ''] = /\bpath=["']([^"'<>]*)["']/.exec(element.slice(0, element.indexOf('>'))) ?? [];
    const included = resolve(dirname(file), path);
    if (inputs.has(included)) continue;
    inputs.add(included);
    await addIncludes(included, inputs);
  }
}

interface Esbuild {
  build(options: Record<string, unknown>): Promise<{
    outputFiles: { text: string }[];
    metafile: { inputs: Record<string, unknown> };
  }>;
}
type Component = (props: object) => unknown;

async function compileReact(file: string, inputs: Set<string>): Promise<unknown> {
  const require = createRequire(file);
  const esbuild = require('esbuild') as Esbuild;
  const { render } = require('@react-email/render') as { render: (element: unknown) => Promise<string> };
  const { createElement } = require('react') as { createElement: (component: () => unknown) => unknown };
  const folder = dirname(file);
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [file],
    absWorkingDir: folder,
    outfile: `${file}.cjs`,
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    jsx: 'automatic',
    // They are loaded once, so that a later save compiles the files of the project only.
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'silent',
  });
  for (const input of Object.keys(metafile.inputs)) if (!input.includes(':')) inputs.add(join(folder, input));
  const module = new Module(`${file}.cjs`) as Module & {
    paths: string[];
    _compile(code: string, file: string): void;
  };
  module.filename = `${file}.cjs`;
  module.paths = (Module as unknown as { _nodeModulePaths(path: string): string[] })._nodeModulePaths(folder);
  module._compile(outputFiles[0]?.text ?? '', module.filename);
  const { default: component } = module.exports as { default?: Component };
  if (typeof component !== 'function') throw new Error('The file must export a component as its default.');
  return render(createElement(() => component(placeholders())));
}

/** Returns props of which each is the placeholder of its name, which the service replaces with a value. */
function placeholders(): object {
  return new Proxy(
    {},
    { get: (_, name) => (typeof name === 'string' && name !== 'children' ? `{{${name}}}` : undefined) },
  );
}

interface EsbuildFailure {
  errors: { text: string; location: { file: string; line: number; column: number } | null }[];
}

function describe(
  error: unknown,
  folder: string,
  inputs: ReadonlySet<string>,
): { message: string; place?: SourcePlace | undefined } {
  const { errors } = error as Partial<EsbuildFailure>;
  const [first] = Array.isArray(errors) ? errors : [];
  if (first && typeof first.text === 'string') {
    const { location } = first;
    const place = location && {
      file: resolve(folder, location.file),
      line: location.line,
      column: location.column + 1,
    };
    return { message: `${first.text}${more(errors ?? [])}`, place: place ?? undefined };
  }
  if (!(error instanceof Error)) return { message: String(error) };
  const [message = ''] = error.message.split('\n');
  return { message, place: placeIn(error.stack ?? '', inputs) };
}

/** Returns the first position in one of the sources. */
function placeIn(stack: string, inputs: ReadonlySet<string>): SourcePlace | undefined {
  for (const line of stack.split('\n')) {
    // As in "at Part (/emails/part.tsx:3:30)".
    const parts = line.trim().replace(/\)$/, '').split(':');
    const [column, row] = [parts.pop(), parts.pop()];
    const file = parts.join(':').replace(/^at (?:[^(]*\()?/, '');
    if (inputs.has(file)) return { file, line: Number(row), column: Number(column) };
  }
  return undefined;
}

const more = ({ length }: readonly unknown[]) => (length > 1 ? ` (and ${length - 1} more)` : '');
