import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';

/** npm 11 refuses `npm ci` without these entries. npm drops them where the registry lacks a package for another platform. */
it('locks every optional dependency of every package', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optionalDependencies?: Record<string, string> }>;
  };
  const locked = Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, ''));

  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !locked.includes(name))
      .map((name) => `${path}: ${name}`),
  );

  expect(missing).toEqual([]);
});
