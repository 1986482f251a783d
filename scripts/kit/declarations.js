/** Writes the type declarations of the entry points. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  verbatimModuleSyntax: true,
  strict: true,
  exactOptionalPropertyTypes: true,
};

/**
 * Returns the declarations of these sources and of all that they import, by their paths relative to src/. Entries of
 * `replaced` are used instead of those of a source. Sources declare the types of what they export, so no other file is
 * needed to find a type, and this takes a tenth of the time of a type check.
 */
export function declarationsOf(root, sources, replaced) {
  const files = new Map();
  const waiting = [...sources];
  for (let source = waiting.shift(); source !== undefined; source = waiting.shift()) {
    if (files.has(source)) continue;
    const text = replaced[source] ?? declare(root, source);
    files.set(source, text);
    for (const [, path] of text.matchAll(/(?:from|import) '(\.\.?\/[^']+)\.js'/g)) {
      waiting.push(posix.join(posix.dirname(source), `${path}.ts`));
    }
  }
  return new Map([...files].map(([source, text]) => [nameOf(source), text]));
}

/** vitest has declarations for ES modules only, which only an ES module can import. */
function nameOf(source) {
  const extension = source.endsWith('/vitest.ts') ? '.d.mts' : '.d.ts';
  return source.replace(/^src\//, '').replace(/\.ts$/, extension);
}

function declare(root, source) {
  const input = readFileSync(join(root, source), 'utf8');
  const { outputText, diagnostics } = ts.transpileDeclaration(input, {
    fileName: source,
    compilerOptions,
    reportDiagnostics: true,
  });
  const problems = diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  const code = outputText.replace(/\/\*.*?\*\//gs, '');
  if (/\bany\b/.test(code)) problems.push('It has the type any.');
  if (/from ['"]zod/.test(code)) problems.push('It needs zod.');
  if (problems.length > 0) throw new Error(`No declarations for ${source}:\n${problems.join('\n')}`);
  return outputText;
}
