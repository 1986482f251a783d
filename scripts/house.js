/**
 * Counts the files of the product and the circles of their imports, and prints a table: `node scripts/house.js`. Types
 * and lazy imports count. Tables of data are not among the lengths of files. `--list` also prints the circles, the
 * small files and the longest ones.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
const files = tracked.filter((file) => /^(?:src|commands)\/.*\.(?:[jt]sx?|css|sql|html)$/.test(file));
const sources = files.map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const lines = new Map(sources.map(({ file, text }) => [file, text.split('\n').length - 1]));

const imports = sources.flatMap(importsOf);
const importers = groupBy(imports, ({ target }) => target);
const isAlone = (file) => new Set(importers.get(file)?.map(({ file }) => file)).size === 1;

const small = files.filter((file) => lines.get(file) <= 25);
const single = files.filter((file) => lines.get(file) <= 60 && isAlone(file));
const isData = (file) => file.endsWith('.sql') || file === 'src/mime/extract/languages.ts';
const sizes = files
  .filter((file) => !isData(file))
  .map((file) => lines.get(file))
  .sort((a, b) => a - b);
const at = (share) => sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * share))];

const circlesOfFiles = circles(imports.map(({ file, target }) => [file, target]));
const circlesOfFolders = siblings(imports);
const docs = tracked.filter((file) => /^docs\/.*\.md$/.test(file));

const rows = [
  ['Product files under src and commands', files.length, 1_050],
  ['Product lines', sum([...lines.values()]), 87_000],
  ['TypeScript syntax nodes', sum(sources.map(syntaxNodes)), ''],
  ['Files of at most 25 lines', small.length, 100],
  ['Files of at most 60 lines with a single importer', single.length, 80],
  ['Lines of a file: median, 90th percentile, longest', `${at(0.5)}, ${at(0.9)}, ${sizes.at(-1)}`, '75, 220, 400'],
  ['Circles of files; of folders', `${circlesOfFiles.length}; ${circlesOfFolders.length}`, '0; 0'],
  ['Pages of docs, records of decisions included', docs.length, 85],
  ['Files on the three ways of docs/architecture.md', filesOnWays().join(', '), ''],
];
for (const [name, count, goal] of rows)
  console.log(`${name.padEnd(52)}${String(count).padStart(14)}${String(goal).padStart(14)}`);

if (process.argv.includes('--list')) {
  for (const circle of [...circlesOfFiles, ...circlesOfFolders]) console.log(`\ncircle: ${circle.join(' ')}`);
  console.log(`\nat most 25 lines:\n${small.join('\n')}`);
  console.log(`\nat most 60 lines, one importer:`);
  for (const file of single) console.log(`${file} (${lines.get(file)}) < ${importers.get(file)[0].file}`);
  console.log(`\nlongest:`);
  for (const file of files.filter((file) => lines.get(file) > 300 && !isData(file)))
    console.log(`${file} ${lines.get(file)}`);
}

function sum(numbers) {
  return numbers.reduce((all, each) => all + each, 0);
}

/** Returns the number of nodes of a source's syntax tree; 0 for another language. Tokens do not count. */
function syntaxNodes({ file, text }) {
  if (!/\.[jt]sx?$/.test(file)) return 0;
  let count = 0;
  const visit = (node) => {
    count += 1;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return count;
}

/** Returns the number of files in each table of "Three ways through the code": the names in its first column. */
function filesOnWays() {
  const text = readFileSync('docs/architecture.md', 'utf8')
    .split('## Three ways through the code')[1]
    .split('\n## ')[0];
  return text
    .split('\n**')
    .slice(1)
    .map((way) => sum(way.split('\n').map((line) => line.match(/^\|[^|]+/)?.[0].match(/`[^`]+\.tsx?`/g)?.length ?? 0)));
}

function importsOf({ file, text }) {
  const targets = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) => {
    const stem = join(file, '..', path).replace(/\.js$/, '');
    return ['', '.ts', '.tsx', '.js'].map((end) => stem + end).find((name) => lines.has(name));
  });
  return targets.filter((target) => target !== undefined).map((target) => ({ file, target }));
}

function groupBy(all, keyOf) {
  const groups = new Map();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

/** Returns the groups of folders of one folder that import each other. A file of the folder counts as one of them. */
function siblings(all) {
  const edges = new Map();
  for (const { file, target } of all) {
    const [from, to] = [file.split('/'), target.split('/')];
    let same = 0;
    while (from[same] === to[same]) same += 1;
    // A file next to a folder is in a circle only if the files are.
    if (same + 1 >= from.length || same + 1 >= to.length) continue;
    const parent = from.slice(0, same).join('/');
    const names = [from, to].map((path) => path.slice(0, same + 1).join('/'));
    edges.set(parent, [...(edges.get(parent) ?? []), names]);
  }
  return [...edges.values()].flatMap(circles);
}

/** Returns the strongly connected groups of more than one node (Tarjan). */
function circles(edges) {
  const next = groupBy(edges, ([from]) => from);
  const index = new Map();
  const low = new Map();
  const stack = [];
  const found = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const [, target] of next.get(node) ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(node, Math.min(low.get(node), low.get(target)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) found.push(group);
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return found;
}
