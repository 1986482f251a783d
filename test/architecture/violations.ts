import { checkCode, usesIn } from './code-violations.js';
import { importsOf, type Source } from './import-graph.js';
import { type Exception, exceptions } from './import-rules.js';
import { checkImport, findCycles } from './import-violations.js';

/** Every violation of the rules, as `file:line: what is wrong`. */
export function violations(sources: Source[]): string[] {
  const imports = importsOf(sources);
  return [
    ...imports.flatMap(checkImport),
    ...findCycles(imports),
    ...sources.flatMap((source) => checkCode(source)),
  ].sort();
}

/** Exceptions that no source needs any more. */
export function unusedExceptions(sources: Source[]): Exception[] {
  const imports = importsOf(sources);
  const used = ({ file, uses }: Exception) =>
    imports.some((each) => each.file === file && each.target === uses) ||
    sources.some((source) => source.file === file && usesIn(source).some(([use]) => use === uses));
  return exceptions.filter((exception) => !used(exception));
}
