import { isBuiltin } from 'node:module';
import type { Import } from './import-graph.js';
import { cliFloors, internals, isException, type Layer, layers, packageOwners } from './import-rules.js';

/** Checks imports. Each violation names file and line. */

function layerOf(file: string): Layer | undefined {
  return layers[Object.keys(layers).find((path) => matches(file, path)) ?? ''];
}

function matches(file: string, path: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path;
}

export function checkImport({ file, line, target, kind }: Import): string[] {
  const at = `${file}:${line}`;
  if (isException(file, target)) return [];
  const layer = layerOf(file);
  if (!layer) return [`${at}: belongs to no layer; name its rules in test/architecture/import-rules.ts`];
  const allowed = (paths: string[] | undefined) => paths?.some((path) => matches(target, path)) ?? false;
  if (isOutside(target)) {
    const name = packageOf(target);
    if (layer.outside !== 'all' && !layer.outside.includes(name)) return [`${at}: must not import ${target}`];
    const owners = [packageOwners[name] ?? []].flat();
    if (owners.length > 0 && kind !== 'type' && !owners.some((owner) => file.startsWith(owner))) {
      return [`${at}: ${name} belongs to ${owners.join(' and ')}`];
    }
    const wrapper = Object.entries(internals).find(([path]) => target.startsWith(path))?.[1] ?? file;
    return file === wrapper ? [] : [`${at}: only ${wrapper} may import ${target}`];
  }
  if (file.startsWith('src/cli/') && floorOf(file) < floorOf(target))
    return [`${at}: must not import ${target}, which is above it`];
  if (allowed(layer.own) || (kind === 'type' && allowed(layer.types)) || (kind === 'lazy' && allowed(layer.lazy))) {
    return [];
  }
  if (kind === 'value' && allowed(layer.lazy))
    return [`${at}: may load ${target} by import() alone, when it is needed`];
  return [`${at}: must not import ${target}`];
}

/** Returns the floor of a file in src/cli, counted from 1; 0 for other files. */
function floorOf(path: string): number {
  const [, folder] = /^src\/cli\/([^/]+)/.exec(path) ?? [];
  if (folder === undefined) return 0;
  const floor = cliFloors.findIndex((folders) => folders.includes(folder));
  return (floor === -1 ? cliFloors.length : floor) + 1;
}

function isOutside(target: string): boolean {
  return isBuiltin(target) || !/^(src|commands|bin|dist|test|scripts|bench|package\.json)(\/|$)/.test(target);
}

function packageOf(target: string): string {
  return target.startsWith('@') ? target.split('/', 2).join('/') : (target.split('/', 1)[0] ?? target);
}

/** Finds files that import each other, directly or through others. Types and lazy imports count. */
export function circlesOfFiles(imports: Import[]): string[] {
  return circles(imports.filter(({ target }) => !isOutside(target)).map(({ file, target }) => [file, target])).map(
    (files) => `${files.join(', ')}: import each other`,
  );
}

/** Finds folders of one folder whose files import each other's. */
export function circlesOfFolders(imports: Import[]): string[] {
  const siblings = new Map<string, [string, string][]>();
  for (const { file, target } of imports) {
    if (isOutside(target)) continue;
    const [from, to] = [file.split('/'), target.split('/')];
    const depth = from.findIndex((name, index) => name !== to[index]);
    // A file next to a folder is in a circle only if files are.
    if (depth < 0 || depth + 1 >= from.length || depth + 1 >= to.length) continue;
    const parent = from.slice(0, depth).join('/');
    const edge = [from, to].map((path) => path.slice(0, depth + 1).join('/')) as [string, string];
    siblings.set(parent, [...(siblings.get(parent) ?? []), edge]);
  }
  return [...siblings.values()]
    .flatMap(circles)
    .map((folders) => `${folders.map((name) => `${name}/`).join(', ')}: import each other`);
}

/** Returns the groups of nodes of which each reaches all others. */
function circles(edges: [string, string][]): string[][] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const reached = new Map([...next.keys()].map((node) => [node, reachedFrom(node, next)]));
  const inCircle = [...reached.keys()].filter((node) => reached.get(node)?.has(node));
  const groups = inCircle.map((node) =>
    inCircle.filter((other) => reached.get(node)?.has(other) && reached.get(other)?.has(node)).sort(),
  );
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function reachedFrom(start: string, next: ReadonlyMap<string, string[]>): Set<string> {
  const found = new Set<string>();
  const waiting = [...(next.get(start) ?? [])];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    waiting.push(...(next.get(node) ?? []));
  }
  return found;
}
