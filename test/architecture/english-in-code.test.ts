import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';
import { commentViolations, titleViolations } from './english-in-code.js';
import type { Source } from './import-graph.js';

/** Folders whose sources are data or texts of other makers. */
const NOT_PROSE = ['test/fixtures/', 'test/architecture/english'];

function sourcesIn(directory: string): Source[] {
  return readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .map((name) => `${directory}/${name.replaceAll('\\', '/')}`)
    .filter((file) => /\.[jt]sx?$/.test(file) && !NOT_PROSE.some((start) => file.startsWith(start)))
    .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }));
}

it.each(['bin', 'bench', 'commands', 'scripts', 'src', 'test'])(
  'the comments in %s have no forbidden phrase',
  (directory) => {
    expect(sourcesIn(directory).flatMap(commentViolations)).toEqual([]);
  },
);

it('the titles of tests have no forbidden phrase', () => {
  const sources = sourcesIn('test');

  expect(sources.length).toBeGreaterThan(200);
  expect(sources.flatMap(titleViolations)).toEqual([]);
});

describe('the check of comments and titles', () => {
  it('finds a phrase in every form of comment, with its line', () => {
    const text = [
      "const url = 'http://nobody'; // nobody",
      '/**',
      ' * Runs when somebody',
      ' * asks.',
      ' */',
      'function run() {',
      '  // It is there',
      '  // already.',
      '  return /* anew */ `// afresh`;',
      '}',
    ].join('\n');

    expect(commentViolations({ file: 'a.ts', text })).toEqual([
      expect.stringMatching(/^a\.ts:1: "nobody"/),
      expect.stringMatching(/^a\.ts:2: "somebody"/),
      expect.stringMatching(/^a\.ts:7: "is there already"/),
      expect.stringMatching(/^a\.ts:9: "anew"/),
    ]);
  });

  it('finds a sentence that is hard to read, except in tests', () => {
    const text = '// Of a message, it has the\n// beginning.\nrun();\n';

    expect(commentViolations({ file: 'src/a.ts', text })).toEqual([expect.stringMatching(/^src\/a\.ts:1: "Of a"/)]);
    expect(commentViolations({ file: 'test/a.ts', text })).toEqual([]);
  });

  it('ignores instructions to tools', () => {
    expect(commentViolations({ file: 'a.ts', text: '// biome-ignore lint/x: nobody\nrun();\n' })).toEqual([]);
  });

  it.each([
    ["it('is made anew', () => {});"],
    ["it.skipIf(true).each([1])('%s is made anew', () => {});"],
    ['describe(`is made anew`, () => {});'],
    ["check('row', 'is made anew', run);"],
  ])('finds a phrase in the title of %s', (text) => {
    expect(titleViolations({ file: 'a.test.ts', text })).toEqual([expect.stringMatching(/^a\.test\.ts:1: "anew"/)]);
  });

  it('ignores other strings of a test', () => {
    expect(titleViolations({ file: 'a.test.ts', text: "it('works', () => expect('anew').toBe('anew'));" })).toEqual([]);
  });
});
