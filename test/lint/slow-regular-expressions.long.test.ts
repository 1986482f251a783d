import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../support/cli/binary.js';

/** Tests that `npm run lint` refuses a regular expression whose time grows faster than its input. */

describe('the check of regular expressions', () => {
  const directory = temporaryDirectory();
  afterAll(() => directory.remove());

  function check(source: string) {
    const file = join(directory.path, 'source.ts');
    writeFileSync(file, source);
    const script = join(ROOT, 'scripts/check-regular-expressions.js');
    return spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  }

  it.each([
    ['one that trims a URL', String.raw`url.replace(/^[\u0000- ]+|[\u0000- ]+$|[\t\n\r]/g, '')`],
    ['one that looks for a name before an address', String.raw`const NAMED = /^(.*?)\s*<([^<>]*)>$/su;`],
    ['one that is composed of constants', `const BLANK = '\\\\s'; const END = new RegExp(\`\${BLANK}+$\`, 'u');`],
    ['one that takes exponential time', 'const A = /^(a|a)*$/;'],
    ['one that is built at run time', 'const f = (word: string) => new RegExp(word);'],
  ])('refuses %s', (_, source) => {
    const { status, stderr } = check(`\n${source}\n`);
    expect(stderr).toMatch(/source\.ts:2: .+ (takes .+ time|is not made of constants)/);
    expect(status).toBe(1);
  });

  it('accepts expressions that take linear time', () => {
    const { status, stderr, stdout } = check(`
      const PLACEHOLDER = /\\{\\{ *([A-Za-z_][A-Za-z0-9_]*) *\\}\\}/g;
      const LABEL = '[a-z]{1,63}';
      const NAME = new RegExp(\`^\${LABEL}$\`, 'u');
    `);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('2 regular expressions checked');
  });
});
