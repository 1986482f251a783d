/** Delays the construction of schemas: most runs need few of those that the contract's modules define. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

const CONTRACT = /[\\/]src[\\/]contract[\\/].*\.ts$/;
/** Methods of zod that take the fields of an object. */
const TAKES_SHAPE = new Set(['object', 'strictObject', 'looseObject', 'extend']);

/**
 * Makes each field of `z.object({ … })` and `.extend({ … })` a getter. zod calls it when the object's shape is first
 * used, and keeps the result.
 */
export const lazyShapes = {
  name: 'lazy-shapes',
  setup({ onLoad }) {
    onLoad({ filter: CONTRACT }, ({ path }) => ({
      contents: withLazyShapes(path, readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

function withLazyShapes(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest);
  const edits = [];
  const visit = (node) => {
    for (const field of fieldsOf(node)) {
      edits.push([field.name.getStart(file), 0, 'get ']);
      edits.push([field.name.end, field.initializer.getFullStart() - field.name.end, '() { return (']);
      edits.push([field.end, 0, '); }']);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return edits
    .sort(([a], [b]) => b - a)
    .reduce((text, [at, length, instead]) => text.slice(0, at) + instead + text.slice(at + length), source);
}

/** Returns the fields that a call such as `z.object({ … })` lists by name. */
function fieldsOf(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const [shape] = node.arguments;
  if (!TAKES_SHAPE.has(node.expression.name.text) || !shape || !ts.isObjectLiteralExpression(shape)) return [];
  return shape.properties.filter(ts.isPropertyAssignment);
}
