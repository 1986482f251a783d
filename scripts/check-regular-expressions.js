import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import { regularExpressionsIn } from './regular-expressions.js';

/**
 * Fails when a regular expression of the product can take more than linear time, or when an entry of the allow-list
 * names none. Checks src, commands and bin; with arguments, only the named files, without the allow-list. Each
 * entry of the list gives the reason why the input cannot make its expression slow. A check can take seconds, so
 * `safe-regular-expressions.json` keeps the safe ones; commit it when an expression is new.
 */

const TIMEOUT_MS = 60_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const SAFE = `${root}scripts/safe-regular-expressions.json`;
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
  if (!known.has(key)) {
    const { status, complexity, attack, error } = await check(source, flags, { timeout: TIMEOUT_MS });
    if (status === 'unknown') return `could not be checked (${error.kind})`;
    if (status === 'vulnerable') return `takes ${complexity.summary} time, for example for ${attack.pattern}`;
  }
  safe.add(key);
  return undefined;
}

/** Returns the safe expressions of earlier runs with the same version of recheck, as flags and source. */
function readKnown() {
  const { version, expressions } = JSON.parse(readFileSync(SAFE, 'utf8'));
  return new Set(version === VERSION ? expressions : []);
}

/** Writes the safe expressions of this run, if they are others than before. */
function writeKnown() {
  const expressions = [...safe].sort();
  if (expressions.length === known.size && expressions.every((expression) => known.has(expression))) return;
  writeFileSync(SAFE, `${JSON.stringify({ version: VERSION, expressions }, null, 2)}\n`);
}

const known = named.length > 0 ? new Set() : readKnown();
const safe = new Set();
const unused = new Set(allowList);
const problems = [];
let count = 0;
for (const file of files) {
  const path = named.length > 0 ? file : `${root}${file}`;
  for (const expression of regularExpressionsIn(file, readFileSync(path, 'utf8'))) {
    count += 1;
    const entries = allowList.filter((entry) => entry.file === file && entry.expression === expression.text);
    for (const entry of entries) unused.delete(entry);
    const problem = entries.length > 0 ? undefined : await problemOf(expression);
    if (problem) problems.push(`${file}:${expression.line}: ${expression.text} ${problem}`);
  }
}
for (const { file, expression } of unused) problems.push(`${file}: the allow-list's ${expression} is not there`);

if (named.length === 0) writeKnown();

process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
process.stdout.write(`${count} regular expressions checked, ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
