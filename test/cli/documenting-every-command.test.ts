import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environment } from '../../src/cli/environment.js';
import { ROOT } from '../support/binary.js';

describe('docs/cli.md', () => {
  it('is current: npm run docs writes it', () => {
    const check = () =>
      execFileSync(process.execPath, [join(ROOT, 'scripts/cli-docs.js'), '--check'], { stdio: 'pipe' });

    expect(check).not.toThrow();
  });

  it('has a section for every command', () => {
    const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'));
    const sections = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8').match(/^### svc .+$/gm);

    const names = Object.keys(commands).map((id) => `### svc ${id.replaceAll(':', ' ')}`);
    expect(new Set(sections)).toEqual(new Set(names));
  });

  it('names every environment variable that the sources do, and no other of svc’s', () => {
    const sources = ['src', 'commands'].flatMap((directory) =>
      readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'environment.ts')
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    );
    const used = new Set(sources.join('\n').match(/\bSVC_[A-Z_]+/g));

    expect(
      Object.keys(environment)
        .filter((name) => name.startsWith('SVC_'))
        .sort(),
    ).toEqual([...used].sort());
  });
});
