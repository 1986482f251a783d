import { checkCode, usesIn } from './code-violations.js';
import { type Import, importsOf, parse, type Source } from './import-graph.js';
import { type Exception, exceptions } from './import-rules.js';
import { checkImport, circlesOfFiles, circlesOfFolders } from './import-violations.js';

/** Returns every violation of the rules, as `file:line: what is wrong`. */
export function violations(sources: Source[], imports = importsOf(sources)): string[] {
  return [
    ...imports.flatMap(checkImport),
    ...circlesOfFiles(imports),
    ...circlesOfFolders(imports),
    ...sources.flatMap((source) => checkCode(source)),
  ].sort();
}

/** Returns the exceptions that no source needs anymore. */
export function unusedExceptions(sources: Source[], imports: Import[]): Exception[] {
  const used = ({ file, uses }: Exception) =>
    imports.some((each) => each.file === file && each.target === uses) ||
    sources.some((source) => source.file === file && usesIn(parse(source)).some(([use]) => use === uses));
  return exceptions.filter((exception) => !used(exception));
}
