import { checkCode, usesIn } from './code-offences.js';
import { importsOf, type Source } from './import-graph.js';
import { checkImport, findCycles } from './import-offences.js';
import { type Exception, exceptions } from './import-rules.js';

/** Every offence against the rules, as `file:line: what is wrong`. */
export function offences(sources: Source[]): string[] {
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
