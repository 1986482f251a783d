import ts from 'typescript';
import { lineOf, parse, type Source, walk } from './import-graph.js';
import { adapterMakers, impure, isException, privateMembers, timed } from './import-rules.js';

/** Finds code that only certain files may contain. Each violation names file and line. */

/** Files that may ask for the system: the one with all differences, and the one that prints its name. */
const SYSTEM_NAMERS = ['src/system.ts', 'src/cli/main.ts'];

export function checkCode(source: Source): string[] {
  if (source.file.startsWith('bin/')) return [];
  const found: string[] = [];
  const report = (node: ts.Node, what: string) => found.push(`${source.file}:${lineOf(node)}: ${what}`);
  const tree = parse(source);
  for (const [use, node] of usesIn(tree)) {
    if (!timed.some((folder) => source.file.startsWith(folder)) && !isException(source.file, use))
      report(node, `${use} belongs to src/clock`);
  }
  for (const statement of tree.statements) {
    if (isImportOfWholeZod(statement)) report(statement, 'zod must be imported as a namespace: decision 136');
    if (!ts.isVariableStatement(statement)) continue;
    if (!(statement.declarationList.flags & ts.NodeFlags.Const) && !isAmbient(statement)) {
      report(statement, 'module state: a `let` outlives the app that it belongs to');
    }
    for (const { initializer } of statement.declarationList.declarations) {
      if (initializer && isEmptyCollection(initializer)) {
        report(statement, 'module state: an empty collection is made to be filled');
      }
    }
  }
  const [, members] = Object.entries(privateMembers).find(([folder]) => source.file.startsWith(folder)) ?? [];
  walk(tree, (node) => {
    if (members && source.file !== members.owner && ts.isIdentifier(node) && members.names.test(node.text)) {
      // The name of an unused parameter begins with an underscore.
      if (!ts.isParameter(node.parent))
        report(node, `${node.text}: a private member, which ${members.owner} alone uses`);
    }
    if (
      ts.isPropertyAccessExpression(node) &&
      pathOf(node) === 'process.platform' &&
      !SYSTEM_NAMERS.includes(source.file)
    ) {
      report(node, 'process.platform belongs to src/system.ts');
    }
    const called = calleeOf(node);
    if (called === 'process.exit' || called === 'process.abort') report(node, `${called} belongs to bin/`);
    const owner = called === 'openSqliteReader' ? 'src/storage/resource-lists.ts' : 'src/app/';
    if (called && adapterMakers.includes(called) && !source.file.startsWith(owner) && !declares(tree, called)) {
      report(node, `${called}: only ${owner} may construct an adapter`);
    }
  });
  return found;
}

/** Returns whether a statement imports `{ z }` from zod, with which a bundle has all of zod. */
function isImportOfWholeZod(statement: ts.Statement): boolean {
  if (!ts.isImportDeclaration(statement) || statement.moduleSpecifier.getText() !== "'zod'") return false;
  const bindings = statement.importClause?.namedBindings;
  return bindings !== undefined && !ts.isNamespaceImport(bindings);
}

/** Returns impure calls, and `new Date()` without an argument. */
export function usesIn(tree: ts.SourceFile): [string, ts.Node][] {
  const found: [string, ts.Node][] = [];
  walk(tree, (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
      found.push(['new Date()', node]);
    }
    // A reference counts as well as a call: it may be called elsewhere.
    if ((ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) && isUse(node)) {
      const name = pathOf(node)?.replace(/^(globalThis|crypto|process)\.(?!hrtime)/, '');
      if (name !== undefined && impure.has(name)) found.push([name, node]);
    }
  });
  return found;
}

function isUse(node: ts.Identifier | ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  // Under another name its uses could not be recognized.
  if (ts.isImportSpecifier(parent)) return parent.propertyName === node;
  if (ts.isTypeQueryNode(parent)) return false;
  // The name of a property is checked together with its object.
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isPropertyAccessExpression(parent) && ts.isPropertyAccessExpression(node)) return true;
  return !((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node);
}

function calleeOf(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ? pathOf(node.expression) : undefined;
}

/** Returns a name, or names with dots; undefined for other expressions. The text of a node takes much longer. */
function pathOf(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const before = pathOf(node.expression);
  return before === undefined ? undefined : `${before}.${node.name.text}`;
}

function declares(tree: ts.SourceFile, name: string): boolean {
  return tree.statements.some(
    (statement) =>
      (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name?.text === name,
  );
}

function isAmbient(statement: ts.VariableStatement): boolean {
  return statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword) ?? false;
}

function isEmptyCollection(node: ts.Expression): boolean {
  if (!ts.isNewExpression(node)) return false;
  return /^(Weak)?(Map|Set)$/.test(node.expression.getText()) && !node.arguments?.length;
}
