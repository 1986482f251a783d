import { isBuiltin } from 'node:module';
import type { Import } from './import-graph.js';
import { isException, type Layer, layers, packageOwners } from './import-rules.js';

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

/** Finds cycles of imports at run time; lazy imports are ignored, because they load after both ends. */
export function findCycles(imports: Import[]): string[] {
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
