import { describe, expect, it } from 'vitest';
import { fieldNames } from '../../../src/contract/vocabulary/query/fields.js';
import { svc } from '../../support/cli/binary.js';

/** Tests every form in which people ask a command line for help and for its version. */

describe('help', () => {
  it.each([
    ['of svc', ['--help'], [['-h'], ['help'], []]],
    ['of a topic', ['emails', '--help'], [['emails', '-h'], ['help', 'emails'], ['emails']]],
    [
      'of a topic of a topic',
      ['dev', 'clock', '--help'],
      [
        ['help', 'dev', 'clock'],
        ['dev', 'clock'],
      ],
    ],
    [
      'of a command',
      ['emails', 'send', '--help'],
      [
        ['emails', 'send', '-h'],
        ['help', 'emails', 'send'],
      ],
    ],
    [
      'of a command that is a topic',
      ['dev', '--help'],
      [
        ['dev', '-h'],
        ['help', 'dev'],
      ],
    ],
  ])('%s is the same in every form', async (_, usual, others) => {
    const { code, stdout, stderr } = await svc(usual);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    for (const args of others) expect(await svc(args)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('of a command has a readable usage line, and the values that flags and arguments take', async () => {
    expect((await svc(['emails', 'send', '--help'])).stdout).toContain('USAGE\n  $ svc emails send [flags]\n');
    const { stdout } = await svc(['emails', 'simulate', '--help']);
    expect(stdout).toContain('USAGE\n  $ svc emails simulate ID OUTCOME [flags]\n');
    const help = stdout.replace(/\s+/g, ' ');
    expect(help).toContain('One of delivered, bounced, soft-bounced,');
    expect(help).toMatch(/--bounce-type=VALUE [^-]*One of hard, soft\./);
  });

  it('of a command names its global flags, which a page of their own explains', async () => {
    const page = await svc(['help', 'flags']);
    expect(page).toMatchObject({ code: 0, stderr: '' });
    expect(await svc(['flags', '--help'])).toEqual(page);
    const { stdout } = await svc(['emails', 'list', '--help']);
    const [, names = ''] = /\nGLOBAL FLAGS\n((?: .*\n)+)/.exec(stdout) ?? [];
    expect(names).toContain('svc help flags');
    const named = names.match(/--[\w-]+/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(page.stdout.replace('[no-]', 'no-')).toMatch(new RegExp(`^ +${name}\\b`, 'm'));
  });

  it('of a command with a query has the fields of the query language', async () => {
    const { stdout } = await svc(['emails', 'wait', '--help']);
    const queries = (/\nQUERIES\n(.*?)\n\n[A-Z]/s.exec(stdout)?.[1] ?? '').replace(/\s+/g, ' ');
    for (const field of fieldNames) expect(queries).toContain(` ${field}:`);
    expect(queries).toContain('has: attachment, html, link, code, warning');
  });
});

it('the version is the same in every form', async () => {
  const { code, stdout, stderr } = await svc(['--version']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  for (const args of [['-v'], ['version'], ['-v', '--json']]) expect(await svc(args)).toEqual({ code, stdout, stderr });
});
