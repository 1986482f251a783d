import { expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

it.each([
  ['ID', ['emails', 'get', '']],
  ['ID', ['webhooks', 'deliveries', ' ']],
  ['ADDRESS', ['suppressions', 'remove', '', '--yes']],
  ['--email', ['webhooks', 'deliveries', '--email', '']],
  ['--data-dir', ['dev', 'reset', '--yes', '--data-dir', '']],
  ['--data-dir', ['dev', 'stop', '--data-dir=']],
  ['--http-port', ['dev', '--http-port', ' ']],
  ['--to', ['emails', 'send', '--to', '']],
])('an empty %s is a usage error: svc %s', async (name, args) => {
  const { code, stdout, stderr } = await svc(args, { env: { SVC_DATA_DIR: folder.path } });

  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`Error: ${name} must not be empty.\nIs a variable of your shell unset?`);
});
