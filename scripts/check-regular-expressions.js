import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import { regularExpressionsIn } from './regular-expressions.js';

/**
 * Fails when a regular expression of the product can take more than linear time, or when an entry of the allow-list is
 * no longer needed. Checks src, commands and bin; with arguments, only the named files, without the allow-list. Each
 * entry of the list gives the reason why the input cannot make its expression slow.
 */

const TIMEOUT_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const CACHE = `${root}node_modules/.cache/svc-regular-expressions.json`;
const VERSION = createRequire(import.meta.url)('recheck/package.json').version;
const named = process.argv.slice(2);
const files = named.length > 0 ? named : ['src', 'commands', 'bin'].flatMap(sourcesIn);
const allowList =
  named.length > 0 ? [] : JSON.parse(readFileSync(`${root}scripts/allowed-regular-expressions.json`, 'utf8'));

function sourcesIn(folder) {
  return readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|js)$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);
}

/** Returns why an expression is refused; undefined when it takes linear time at most. */
async function problemOf({ source, flags }) {
  if (source === undefined || flags === undefined) return 'is not made of constants, so it cannot be checked';
  const key = `${flags}/${source}`;
  const known = key in cached ? cached[key] : await check(source, flags, { timeout: TIMEOUT_MS });
  const { status, complexity, attack, error } = known;
  if (status === 'unknown') return `could not be checked (${error.kind})`;
  verdicts[key] = known;
  if (status === 'safe') return undefined;
  return `takes ${complexity.summary} time, for example for ${attack.pattern}`;
}

/**
 * Returns the cached verdicts of earlier runs with the same version of recheck, by flags and source; empty without a
 * cache.
 */
function readCache() {
  try {
    const { version, verdicts } = JSON.parse(readFileSync(CACHE, 'utf8'));
    return version === VERSION ? verdicts : {};
  } catch {
    return {};
  }
}

/** Writes the verdicts of this run to the cache, because each can take seconds. */
function writeCache() {
  mkdirSync(dirname(CACHE), { recursive: true });
  writeFileSync(CACHE, JSON.stringify({ version: VERSION, verdicts }));
}

const cached = named.length > 0 ? {} : readCache();
const verdicts = {};
const unused = new Set(allowList);
const problems = [];
let count = 0;
for (const file of files) {
  const path = named.length > 0 ? file : `${root}${file}`;
  for (const expression of regularExpressionsIn(file, readFileSync(path, 'utf8'))) {
    count += 1;
    const entries = allowList.filter((entry) => entry.file === file && entry.expression === expression.text);
    if (entries.length === 0 || unused.has(entries[0])) {
      const problem = await problemOf(expression);
      if (problem === undefined) continue;
      if (entries.length === 0) problems.push(`${file}:${expression.line}: ${expression.text} ${problem}`);
      for (const entry of entries) unused.delete(entry);
    }
  }
}
for (const { file, expression } of unused) problems.push(`${file}: the allow-list's ${expression} is not needed`);

if (named.length === 0) writeCache();

process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
process.stdout.write(`${count} regular expressions checked, ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
