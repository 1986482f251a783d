import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../../src/contract/vocabulary/routes.js';
import { ROOT } from '../support/cli/binary.js';
import { COLUMNS, linkViolations, pagePhraseViolations, widthViolations, writtenPages } from './docs-rules.js';

const pages = writtenPages();

/** A longer record has more than one subject. */
const RECORD_LINES = 55;

/** The phrases that begin what was rejected, and the last paragraph of a record. */
const RECORD_PHRASES = /^\*\*(?:Rejected|What would change it)\.\*\*(?= \S)/gm;

describe('README and docs', () => {
  it(`have prose lines of at most ${COLUMNS} columns`, () => {
    expect(pages.flatMap(widthViolations)).toEqual([]);
  });

  it('have no forbidden phrase', () => {
    expect(pages.flatMap(pagePhraseViolations)).toEqual([]);
  });

  it('link to files and headings that exist', () => {
    expect(pages.flatMap(linkViolations)).toEqual([]);
  });

  it('are found in every folder of docs', () => {
    expect(pages.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['README.md', 'docs/architecture.md', 'docs/decisions/README.md']),
    );
    expect(pages.length).toBeGreaterThan(50);
  });

  it('give the reader a README of at most 150 lines', () => {
    expect(pages.find(({ file }) => file === 'README.md')?.text.split('\n').length).toBeLessThanOrEqual(151);
  });
});

describe('docs/README.md', () => {
  it('has every page of docs', () => {
    const linked = Array.from(textOf('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g), ([, name]) => name);
    const existing = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');

    expect(linked.sort()).toEqual(existing.sort());
  });
});

describe('docs/architecture.md', () => {
  it('has a tree with every folder of src', () => {
    expect(foldersInTree(textOf('docs/architecture.md'))).toEqual(foldersOf('src'));
  });
});

describe('docs/decisions', () => {
  const records = pages.filter(({ file }) => /^docs\/decisions\/\d/.test(file));

  it('has every record in its index, with its title', () => {
    const titles = records.map(({ file, text }) => {
      const name = file.split('/').at(-1) ?? '';
      return `- [${name.slice(0, 3)}](${name}) ${text.split('\n')[0]?.slice(2)}`;
    });
    const index = textOf('docs/decisions/README.md')
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .sort();

    expect(index).toEqual(titles);
  });

  it.each(records)('has context, decision, consequences and what would change it: $file', ({ text }) => {
    expect(text.match(/^## .*$/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
    expect(text.split('\n').length).toBeLessThanOrEqual(RECORD_LINES);
    expect(text.match(RECORD_PHRASES)).toEqual(['**Rejected.**', '**What would change it.**']);
  });
});

describe('docs/control-api.md', () => {
  it('has every endpoint of the control API', () => {
    const shown = Array.from(textOf('docs/control-api.md').matchAll(/^\| `(\w+ \/_svc\S*)`/gm), ([, route]) => route);

    expect(shown).toEqual(Object.values(controlRoutes).map(({ method, path }) => `${method} /_svc${path}`));
  });
});

function textOf(name: string): string {
  return pages.find(({ file }) => file === name)?.text ?? '';
}

/** Returns a folder and those in it, in order, such as `src/cli/flags`. */
function foldersOf(folder: string): string[] {
  const below = readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...below.flatMap(({ name }) => foldersOf(`${folder}/${name}`))].sort();
}

/** Returns the folders of the tree that is indented by two spaces a level, from the line `src/` on. */
function foldersInTree(text: string): string[] {
  const path: string[] = [];
  const found: string[] = [];
  for (const line of text.split('\n')) {
    const [, indent = '', name = ''] = /^( *)([\w-]+)\/ {2,}\S/.exec(line) ?? [];
    if (name === '') continue;
    path.length = indent.length / 2;
    path.push(name);
    if (path[0] === 'src') found.push(path.join('/'));
  }
  return found.sort();
}

describe('the rules for docs', () => {
  const page = (text: string) => ({ file: 'docs/a.md', text });

  it('count columns outside of code and tables', () => {
    const long = 'x'.repeat(COLUMNS + 1);

    expect(widthViolations(page(`${long}\n| ${long} |\n\`\`\`sh\n${long}\n\`\`\`\n`))).toEqual([
      `docs/a.md:1: ${COLUMNS + 1} columns`,
    ]);
  });

  it('find a phrase that a line break divides', () => {
    expect(pagePhraseViolations(page('The file is\nthere already.\n'))).toEqual([
      expect.stringContaining('docs/a.md:1: "is there already"'),
    ]);
  });

  it('do not look for phrases in code', () => {
    expect(pagePhraseViolations(page('Run `nobody` here.\n\n```\nnobody\n```\n'))).toEqual([]);
  });

  it('find a link to a missing file or heading', () => {
    expect(linkViolations(page('[a](missing.md) [b](#nowhere) [c](architecture.md) [d](https://example.com)'))).toEqual(
      ['docs/a.md:1: missing.md does not exist', 'docs/a.md:1: #nowhere does not exist'],
    );
  });
});
