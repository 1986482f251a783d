import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

/**
 * Reads the imports and statements of source files with the compiler's own parser. Paths are relative to the project,
 * with `/`.
 */

export interface Import {
  /** The file imported, relative to the project, or the package's or built-in's name. */
  target: string;
  file: string;
  line: number;
  /** How it is loaded: erased by the compiler, with the file, or when called. */
  kind: 'type' | 'value' | 'lazy';
}

export interface Source {
  file: string;
  text: string;
}

const extensions = ['.ts', '.tsx', '.js', '.json', '.sql', ''];

/**
 * Returns every import of the sources. A relative one is resolved among the sources; one that cannot be resolved keeps
 * its path.
 */
export function importsOf(sources: Source[]): Import[] {
  const files = new Set(sources.map(({ file }) => file));
  return sources.flatMap((source) => readImports(source, files));
}

export function parse({ file, text }: Source): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
}

export function lineOf(node: ts.Node): number {
  const source = node.getSourceFile();
  return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
}

export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

function readImports(source: Source, files: ReadonlySet<string>): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, specifier: ts.Node | undefined, kind: Import['kind']) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    found.push({ target: resolve(source.file, specifier.text, files), file: source.file, line: lineOf(node), kind });
  };
  walk(parse(source), (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeOnly(node.importClause) ? 'type' : 'value');
    else if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly ? 'type' : 'value');
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node, node.argument.literal, 'type');
    else if (!ts.isCallExpression(node)) return;
    else if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node, node.arguments[0], 'lazy');
    else if (ts.isIdentifier(node.expression) && node.expression.text === 'require') {
      add(node, node.arguments[0], 'value');
    }
  });
  return found;
}

/** Returns whether an import is erased at run time: `import type`, or every name in it marked `type`. */
function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  if (clause.name || !names || !ts.isNamedImports(names)) return false;
  return names.elements.length > 0 && names.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function resolve(from: string, specifier: string, files: ReadonlySet<string>): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = normalize(join(dirname(from), specifier)).replaceAll('\\', '/');
  const stem = path.replace(/\.jsx?$/, '');
  return extensions.map((extension) => stem + extension).find((candidate) => files.has(candidate)) ?? path;
}
