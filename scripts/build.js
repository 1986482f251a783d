/** Builds dist/ with scripts/bundle.js, unless it was built from the same sources. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_FROM, digestOfSources } from './sources.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const builtFrom = join(root, 'dist', BUILT_FROM);
const isBuilt =
  existsSync(builtFrom) &&
  existsSync(join(root, 'oclif.manifest.json')) &&
  readFileSync(builtFrom, 'utf8') === digestOfSources(root);

if (!isBuilt) await import('./bundle.js');
