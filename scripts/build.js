/** Builds dist/ with scripts/bundle.js, unless it was built from the same files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The lock file names the versions of the libraries. */
const SOURCES = ['bin', 'commands', 'package-lock.json', 'package.json', 'scripts', 'src'];

const root = fileURLToPath(new URL('..', import.meta.url));
/** Contains the digest of the files that dist/ was built from. It is not published. */
const builtFrom = join(root, 'dist/built-from');
const digest = digestOfSources();

if (
  !existsSync(builtFrom) ||
  !existsSync(join(root, 'oclif.manifest.json')) ||
  readFileSync(builtFrom, 'utf8') !== digest
) {
  await import('./bundle.js');
  writeFileSync(builtFrom, digest);
}

function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesIn)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Returns the paths of a file, or of all files in a directory. */
function filesIn(path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [path] : [];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
