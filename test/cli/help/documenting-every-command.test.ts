import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environment } from '../../../src/cli/environment.js';
import { HANDOVER_VARIABLE } from '../../../src/cli/server/detach.js';
import { ROOT, svc } from '../../support/cli/binary.js';

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

  it('names every environment variable that the sources use, and no other of svc’s', () => {
    const sources = ['src', 'commands'].flatMap((directory) =>
      readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name !== 'environment.ts')
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
    );
    const used = new Set<string>(sources.join('\n').match(/\bSVC_[A-Z_]+/g));
    // Only svc itself sets it.
    used.delete(HANDOVER_VARIABLE);

    expect(
      Object.keys(environment)
        .filter((name) => name.startsWith('SVC_'))
        .sort(),
    ).toEqual([...used].sort());
  });
});

describe('help', () => {
  it('of svc begins with what the first five minutes need, and lists every command and topic once', async () => {
    const { code, stdout } = await svc(['--help']);

    expect(code).toBe(0);
    expect(stdout).toContain('\n  $ svc dev\n');
    expect(stdout).toContain('\n  $ svc emails send --to delivered@simulator.test\n');
    const [, ...groups] = stdout.split(/^(?=MAIL$)/m);
    const listed = groups.join('').match(/^ {2}[a-z][a-z-]*(?= )/gm);
    const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8'));
    const names = new Set(Object.keys(commands).map((id) => `  ${id.split(':')[0]}`));
    expect(listed?.toSorted()).toEqual([...names].sort());
    expect((await svc([])).stdout).toBe(stdout);
  });

  it('of a topic has an example of each of its commands', async () => {
    const { code, stdout } = await svc(['emails', '--help']);

    expect(code).toBe(0);
    for (const verb of ['cancel', 'get', 'list', 'send', 'simulate'])
      expect(stdout).toMatch(new RegExp(`^  \\$ svc emails ${verb} `.replace(/ $/, '\\b'), 'm'));
  });

  it('of a command shows each example on one line, however narrow the terminal, and its own exit codes', async () => {
    const { stdout } = await svc(['emails', 'send', '--help'], { env: { COLUMNS: '40' } });

    expect(stdout).toContain(
      '\n  $ svc emails send --to ada@example.test --from "Shop <shop@example.test>" --subject "Your order" --html "<p>Thanks</p>" --attach package.json\n',
    );
    expect((await svc(['templates', 'diff', '--help'])).stdout).toMatch(
      /^EXIT CODES\n {2}0 {2}Success\.\n {2}1 .*\n {2}2 .*\n {2}3 {2}Templates differ\.\n {2}4 .*\n {2}5 /m,
    );
  });
});
