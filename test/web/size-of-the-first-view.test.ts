import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';

/** Tests what a browser downloads before it shows the list. */

const WEB = join(ROOT, 'dist/web');
const LIMIT = 150_000;
/** The main script of the page; the first one is `async`. */
const MAIN = /<script type="module" src="\{\{base\}\}\/inbox\/assets\/([^"]+\.js)"/;

it('takes at most 150 kB after gzip', () => {
  const page = readFileSync(join(WEB, 'index.html'), 'utf8');
  const files = new Set(
    Array.from(page.matchAll(/(?:href|src)="\{\{base\}\}\/inbox\/assets\/([^"]+)"/g), ([, name]) => name ?? ''),
  );
  for (const name of files) {
    const text = readFileSync(join(WEB, 'assets', name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+)"/g)) files.add(imported);
  }

  const bytes = [...files].map((name) => gzipSync(readFileSync(join(WEB, 'assets', name)), { level: 9 }).length);

  expect(files.size).toBeGreaterThan(1);
  expect(gzipSync(page).length + bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(LIMIT);
});

it('is one script, which all others share', () => {
  const page = readFileSync(join(WEB, 'index.html'), 'utf8');
  const [, script = ''] = MAIN.exec(page) ?? [];
  const textOf = (name: string) => readFileSync(join(WEB, 'assets', name), 'utf8');

  const first = Array.from(page.matchAll(/src="\{\{base\}\}\/inbox\/assets\/([^"]+)"/g), ([, name]) => name ?? '');
  const preview = readFileSync(join(WEB, 'templates.html'), 'utf8');
  const later = readdirSync(join(WEB, 'assets')).filter(
    (name) => name.endsWith('.js') && !first.includes(name) && !preview.includes(name),
  );

  expect(first).toEqual([expect.stringMatching(/^start-/), script]);
  expect(textOf(first[0] ?? '')).not.toMatch(/\bimport\b/);
  expect(page).not.toContain('modulepreload');
  expect(textOf(script)).not.toMatch(/(?:from|import)\s*"\.\//);
  expect(later.filter((name) => textOf(name).includes(`from"./${script}"`)).length).toBeGreaterThan(5);
  for (const name of later) expect(textOf(script) + later.map(textOf).join('')).toContain(name);
});

it('has a compressed form of every script and style sheet', () => {
  const page = readFileSync(join(WEB, 'index.html'), 'utf8');
  const [, script = ''] = MAIN.exec(page) ?? [];

  const [plain, gz, br] = ['', '.gz', '.br'].map((end) => readFileSync(join(WEB, 'assets', script + end)).length);

  expect(gz).toBeLessThan(plain ?? 0);
  expect(br).toBeLessThan(gz ?? 0);
});

it('has no inline script and no address of another host', () => {
  const page = readFileSync(join(WEB, 'index.html'), 'utf8');

  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(page).not.toMatch(/https?:/);
});
