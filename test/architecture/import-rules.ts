import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { type Import, importsOf, lineOf, parse, type Source, walk } from './import-graph.js';

/** The rules of the house: which way imports point, and what only certain files may do. Each offence names file and line. */

/** A directory's part in the house. */
interface Layer {
  /** Directories and files of the project that it may import. */
  own: string[];
  /** Packages and built-ins that it may import; `all` where that is what the layer is for. */
  outside: string[] | 'all';
  /** What it may import as types alone, because the compiler leaves nothing of them. */
  types?: string[];
  /** What it may load by `import()` alone, when it is needed. */
  lazy?: string[];
}

/** Built-ins that compute and reach nothing outside the process. */
const PURE = ['node:crypto', 'node:url'];

const adapter = (name: string): Layer => ({ own: [name, 'src/core/', 'src/contract/'], outside: 'all' });

export const layers: Record<string, Layer> = {
  'src/contract/': { own: ['src/contract/'], outside: ['zod'] },
  'src/core/': { own: ['src/core/', 'src/contract/'], outside: PURE },
  'src/storage/': adapter('src/storage/'),
  'src/clock/': adapter('src/clock/'),
  'src/http/': adapter('src/http/'),
  'src/smtp/': adapter('src/smtp/'),
  'src/mime/': adapter('src/mime/'),
  'src/archive/': adapter('src/archive/'),
  'src/dns/': adapter('src/dns/'),
  'src/client/': { own: ['src/client/', 'src/contract/'], outside: [] },
  'src/cli/': {
    own: ['src/cli/', 'src/client/', 'src/contract/', 'src/version.ts', 'package.json'],
    outside: 'all',
    types: ['src/app.ts', 'src/reading.ts'],
    lazy: ['src/app.ts', 'src/reading.ts'],
  },
  'commands/': {
    own: ['commands/', 'src/cli/', 'src/client/', 'src/contract/', 'src/version.ts', 'package.json'],
    outside: 'all',
    types: ['src/app.ts'],
    lazy: ['src/app.ts'],
  },
  // A page in a browser: it knows the API and the client, and nothing of the server.
  'src/inbox/': { own: ['src/inbox/', 'src/client/', 'src/contract/'], outside: 'all' },
  // What a test suite imports runs the server in its own process.
  'src/testing/': {
    own: ['src/testing/', 'src/client/', 'src/contract/', 'src/cli/', 'src/version.ts'],
    outside: 'all',
    types: ['src/app.ts'],
    lazy: ['src/app.ts'],
  },
  'src/app.ts': { own: ['src/'], outside: 'all' },
  // The database read beside its server: the storage adapter alone, so that loading it takes no time.
  'src/reading.ts': { own: ['src/storage/', 'src/core/', 'src/contract/'], outside: [] },
  'src/version.ts': { own: ['package.json'], outside: [] },
  'src/sql.d.ts': { own: [], outside: [] },
  'bin/': { own: ['dist/main.js'], outside: 'all' },
};

/** Packages that belong to one layer, wherever else `all` would let them in. */
const packageOwners: Record<string, string> = {
  fastify: 'src/http/',
  'better-sqlite3': 'src/storage/',
  'smtp-server': 'src/smtp/',
  mailparser: 'src/mime/',
  nodemailer: 'src/mime/',
  ulid: 'src/clock/',
};

/** Classes and functions that make an adapter: called by app.ts alone; what only reads, by reading.ts. */
const adapterMakers = [
  'openSqliteStore',
  'openSqliteReader',
  'ServiceClock',
  'createIds',
  'createHttpServer',
  'createSmtpServer',
  'createPost',
];

/** Where time and chance come from. */
const impure = new Set([
  'Date.now',
  'setTimeout',
  'setInterval',
  'performance.now',
  'process.hrtime',
  'Math.random',
  'AbortSignal.timeout',
  'randomUUID',
  'randomBytes',
  'randomInt',
  'getRandomValues',
]);

export interface Exception {
  file: string;
  /** What it uses, as in `impure`, or imports. */
  uses: string;
  reason: string;
}

/** Breaches that stand, each with its reason. */
export const exceptions: Exception[] = [
  {
    file: 'src/contract/signature.ts',
    uses: 'node:crypto',
    reason: 'the server signs and the command line checks, so it is part of the contract; no browser imports it',
  },
  {
    file: 'src/cli/data-dir.ts',
    uses: 'randomBytes',
    reason: 'makes the local server’s credentials, before there is a server that could lend its ids',
  },
  { file: 'src/app.ts', uses: 'randomUUID', reason: 'tells one start of a server from another; never recorded' },
  {
    file: 'src/http/outbound.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket is on the machine’s time: the receiver does not live on the service’s',
  },
  {
    file: 'src/cli/machine-time.ts',
    uses: 'Date.now',
    reason: 'when something came from a remote service: no local server is there whose clock would count',
  },
  {
    file: 'src/cli/running-server.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket: asks another server whether it is alive',
  },
  {
    file: 'src/cli/network.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket: how long a command waits for a server',
  },
  {
    file: 'src/cli/proxy.ts',
    uses: 'undici',
    reason: 'Node 20’s own fetch knows no proxy; loaded when the environment names one',
  },
  {
    file: 'src/cli/network.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket, in a command without a server',
  },
  {
    file: 'src/cli/pause.ts',
    uses: 'setTimeout',
    reason: 'waits for another process, in a command without a server',
  },
  {
    file: 'src/cli/stop-server.ts',
    uses: 'AbortSignal.timeout',
    reason: 'waits for another process to end, in a command without a server',
  },
];

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

function isExcused(file: string, uses: string): boolean {
  return exceptions.some((exception) => exception.file === file && exception.uses === uses);
}

function layerOf(file: string): Layer | undefined {
  return layers[Object.keys(layers).find((path) => matches(file, path)) ?? ''];
}

function matches(file: string, path: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path;
}

function checkImport({ file, line, target, kind }: Import): string[] {
  const at = `${file}:${line}`;
  if (isExcused(file, target)) return [];
  const layer = layerOf(file);
  if (!layer) return [`${at}: belongs to no layer; name its rules in test/architecture/import-rules.ts`];
  const allowed = (paths: string[] | undefined) => paths?.some((path) => matches(target, path)) ?? false;
  if (isOutside(target)) {
    const name = packageOf(target);
    if (layer.outside !== 'all' && !layer.outside.includes(name)) return [`${at}: must not import ${target}`];
    const owner = packageOwners[name];
    if (owner && kind !== 'type' && !file.startsWith(owner)) return [`${at}: ${name} belongs to ${owner}`];
    return [];
  }
  if (allowed(layer.own) || (kind === 'type' && allowed(layer.types)) || (kind === 'lazy' && allowed(layer.lazy))) {
    return [];
  }
  if (kind === 'value' && allowed(layer.lazy))
    return [`${at}: may load ${target} by import() alone, when it is needed`];
  return [`${at}: must not import ${target}`];
}

function isOutside(target: string): boolean {
  return isBuiltin(target) || !/^(src|commands|bin|dist|test|scripts|bench|package\.json)(\/|$)/.test(target);
}

function packageOf(target: string): string {
  return target.startsWith('@') ? target.split('/', 2).join('/') : (target.split('/', 1)[0] ?? target);
}

/** Circles of imports that are there at run time; lazy ones load when both ends are there. */
function findCycles(imports: Import[]): string[] {
  const edges = new Map<string, Import[]>();
  for (const each of imports) {
    if (each.kind === 'value') edges.set(each.file, [...(edges.get(each.file) ?? []), each]);
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: string[]) => {
    if (done.has(file)) return;
    for (const { target, line } of edges.get(file) ?? []) {
      const start = [...path, file].indexOf(target);
      if (start < 0) visit(target, [...path, file]);
      else found.push(`${file}:${line}: imports in a circle: ${[...path, file].slice(start).join(' > ')} > ${target}`);
    }
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

function checkCode(source: Source): string[] {
  if (source.file.startsWith('bin/')) return [];
  const found: string[] = [];
  const report = (node: ts.Node, what: string) => found.push(`${source.file}:${lineOf(node)}: ${what}`);
  for (const [use, node] of usesIn(source)) {
    if (!source.file.startsWith('src/clock/') && !isExcused(source.file, use))
      report(node, `${use} belongs to src/clock`);
  }
  const tree = parse(source);
  for (const statement of tree.statements) {
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
  walk(tree, (node) => {
    const called = calleeOf(node);
    if (called === 'process.exit' || called === 'process.abort') report(node, `${called} belongs to bin/`);
    const assembler = called === 'openSqliteReader' ? 'src/reading.ts' : 'src/app.ts';
    if (called && adapterMakers.includes(called) && source.file !== assembler && !declares(tree, called)) {
      report(
        node,
        `${called}: only ${assembler.slice('src/'.length)} constructs ${assembler === 'src/app.ts' ? 'adapters' : 'it'}`,
      );
    }
  });
  return found;
}

/** Calls of what is impure, and `new Date()` without an argument. */
function usesIn(source: Source): [string, ts.Node][] {
  const found: [string, ts.Node][] = [];
  walk(parse(source), (node) => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
      found.push(['new Date()', node]);
    }
    // A reference counts as well as a call: it may be called elsewhere.
    if ((ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) && isUse(node)) {
      const name = node.getText().replace(/^(globalThis|crypto|process)\.(?!hrtime)/, '');
      if (impure.has(name)) found.push([name, node]);
    }
  });
  return found;
}

function isUse(node: ts.Identifier | ts.PropertyAccessExpression): boolean {
  const { parent } = node;
  // Under another name it would not be known again where it is used.
  if (ts.isImportSpecifier(parent)) return parent.propertyName === node;
  if (ts.isTypeQueryNode(parent)) return false;
  // The name of a property is judged with what it is a property of.
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  if (ts.isPropertyAccessExpression(parent) && ts.isPropertyAccessExpression(node)) return true;
  return !((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === node);
}

function calleeOf(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText() : undefined;
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
