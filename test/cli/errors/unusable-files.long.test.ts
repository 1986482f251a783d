import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { expectRefusal, type Refusal } from '../../support/cli/refusal.js';

const folder = temporaryDirectory();
const send = ['emails', 'send', '--to', 'ada@example.test'];
const LONG = 'a'.repeat(100_000);
const IN_ITS_PLACE = /[Cc]annot (?:read|write) .*: part of the path is not a directory\.\n/;

const refused: Record<string, Refusal> = {
  'a request that is neither JSON nor a name': {
    args: ['emails', 'send', '--data', LONG],
    code: 2,
    message:
      /^Error: --data: a{80}… cannot be read: file name too long\.\nPass a JSON object, @FILE, or - for stdin\.\n$/,
  },
  'a request in a file without a name': {
    args: ['emails', 'send', '--data', '@'],
    code: 2,
    message: /^Error: --data requires a file name\.\nPass a JSON object/,
  },
  'variables that are empty': {
    args: [...send, '--vars', ''],
    code: 2,
    message: /^Error: --vars must not be empty\.\n/,
  },
  'an attachment without a name': {
    args: [...send, '--attach', ''],
    code: 2,
    message: /^Error: --attach must not be empty\.\n/,
  },
  'a variable that is no pair': { args: [...send, '--var', LONG], code: 2, message: /NAME=VALUE, not "a{80}…"\.\n$/ },
  'a command that is none': { args: [LONG], code: 2, message: /^Error: Unknown command "svc a+…\n/ },
  'a file to pull into': {
    args: ['templates', 'pull', 'notes'],
    code: 2,
    message: /notes is a file, not a directory\.\n/,
  },
  'a file to pull below': {
    args: ['templates', 'pull', 'notes/in'],
    code: 2,
    message: /notes is a file, not a directory/,
  },
  'a file to push': { args: ['templates', 'push', 'notes'], code: 2, message: /notes is a file, not a directory\.\n/ },
  'a file for a starter': {
    args: ['templates', 'init', 'receipt', 'notes'],
    code: 2,
    message: /notes is a file, not a directory\.\n/,
  },
  'a file to save to': {
    args: ['emails', 'get', 'latest', '--save', 'notes'],
    code: 2,
    message: /^Error: --save: notes is a file, not a directory\.\n/,
  },
  'a file to save below': {
    args: ['emails', 'get', 'latest', '--save', 'notes/in'],
    code: 2,
    message: /^Error: --save: notes is a file, not a directory\.\n/,
  },
  'a file to export below': { args: ['dev', 'export', 'notes/in'], code: 1, message: IN_ITS_PLACE },
  'a file for the OpenAPI document': { args: ['openapi', '-o', 'notes/in'], code: 2, message: IN_ITS_PLACE },
  'a file for a data directory': {
    args: ['emails', 'list', '--data-dir', 'notes'],
    code: 1,
    message:
      /notes cannot be used: it is a file, not a directory\.\nUse another with --data-dir or SVC_DATA_DIR\. "svc dev --in-memory"/,
  },
};

describe('a file that cannot be used', () => {
  beforeAll(() => writeFileSync(join(folder.path, 'notes'), ''));
  afterAll(() => folder.remove());

  it.each(Object.entries(refused))('is explained: %s', async (_, refusal) => {
    await expectRefusal(run, refusal);

    expect((await run(refusal.args)).stderr).not.toMatch(/E[A-Z]{4,}|a{500}/);
  });

  it('is reported by the doctor', async () => {
    const { stdout } = await run(['doctor', '--data-dir', 'notes']);

    expect(stdout).toMatch(/PROBLEM {2}data directory .*notes cannot be used: it is a file, not a directory/);
  });

  function run(args: string[], env: Record<string, string> = {}) {
    return svc(args, { cwd: folder.path, env: { SVC_DATA_DIR: join(folder.path, 'data'), ...env } });
  }
});
