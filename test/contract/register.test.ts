import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';
import register from './register.json' with { type: 'json' };
import { checks } from './suite/checks/index.js';

/** Tests the register of rows, the checks that name them, and test/contract/parity.md, which is generated from both. */

interface Row {
  id: string;
  says: string;
  scenarios?: { file: string; test: string }[];
  decidedBy?: string[];
  unverifiable?: string;
  open?: string;
}

const rows: Row[] = register.flatMap((section) => section.rows);
const ids = new Set(rows.map(({ id }) => id));
const checked = new Set(checks.flatMap((check) => check.rows));

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the register of the specification’s rows', () => {
  it('has each row once', () => {
    expect(ids.size).toBe(rows.length);
  });

  it('has every gap', () => {
    const numbers = Array.from(
      read('docs/specification-gaps.md').matchAll(/^\| (\d+) \|/gm),
      ([, number]) => `gap:${number}`,
    );
    expect(numbers.length).toBeGreaterThanOrEqual(39);
    expect([...ids].filter((id) => id.startsWith('gap:'))).toEqual(numbers);
  });

  it('has every row that a check names', () => {
    expect([...checked].filter((id) => !ids.has(id))).toEqual([]);
  });

  it('has coverage for every row, or a reason for a missing one', () => {
    const bare = rows.filter(
      ({ id, scenarios, decidedBy, unverifiable, open }) =>
        !checked.has(id) && !scenarios && !decidedBy && !unverifiable && !open,
    );
    expect(bare.map(({ id }) => id)).toEqual([]);
  });

  it('links a decided row to a gap', () => {
    const named = rows.flatMap(({ decidedBy = [] }) => decidedBy);
    expect(named.filter((id) => !id.startsWith('gap:') || !ids.has(id))).toEqual([]);
  });

  it('names tests that exist', () => {
    const missing = rows
      .flatMap(({ scenarios = [] }) => scenarios)
      .filter(({ file, test }) => !titlesIn(read(file)).has(test));
    expect(missing).toEqual([]);
  });

  it('matches test/contract/parity.md', () => {
    expect(() => execFileSync(process.execPath, [join(ROOT, 'scripts/parity.js'), '--check'])).not.toThrow();
  });
});

describe('the contract suite', () => {
  it('imports nothing from svc', () => {
    const directory = join(ROOT, 'test/contract/suite');
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    expect(files).toContain(join('checks', 'emails.ts'));
    for (const file of files) {
      const source = readFileSync(join(directory, file), 'utf8');
      const imported = Array.from(source.matchAll(/from '([^']+)'/g), ([, name]) => name ?? '');
      const isForeign = (name: string) =>
        name.startsWith('.')
          ? !resolve(directory, dirname(file), name).startsWith(directory + sep)
          : !/^(node:|vitest$)/.test(name);
      expect(imported.filter(isForeign), file).toEqual([]);
    }
  });

  it('has no two checks with the same title for one row', () => {
    const lines = checks.flatMap(({ rows: proved, title }) => proved.map((row) => `${row} · ${title}`));
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  });
});

/** Returns the titles of the tests in a source file. */
function titlesIn(source: string): Set<string> {
  const titles = source.matchAll(/(?:\bit|\))\(\s*'((?:[^'\\]|\\.)*)'/g);
  return new Set(Array.from(titles, ([, title]) => title ?? ''));
}
