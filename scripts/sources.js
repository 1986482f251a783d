import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What a build is made of. The lock file names the versions of the libraries. */
const SOURCES = [
  ...['bin', 'commands', 'scripts', 'src', 'templates'],
  ...['package-lock.json', 'package.json', 'tsconfig.json'],
];

/** The file in dist/ with the digest of the sources that it was built from. It is not published. */
export const BUILT_FROM = 'built-from';

/** Returns a digest of the names and contents of all sources. */
export function digestOfSources(root) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((path) => filesIn(root, path))) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Returns the path of a file, or those of all files in a directory; none for what does not exist. */
function filesIn(root, path) {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return stats ? [path] : [];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}
