import { join } from 'node:path';
import { expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

it('is saved with a warning, and one with a valid key without', async () => {
  const dev = await folder.startServer();
  const add = (name: string, input: string, ...flags: string[]) =>
    svc(['profiles', 'add', name, '--base-url', dev.ready.base_url, '--api-key-stdin', ...flags], {
      input,
      env: { SVC_CONFIG_DIR: join(folder.path, 'config'), SVC_DATA_DIR: folder.path },
    });

  const refused = await add('wrong', 'svc_test_nobodyhasthisone0000');
  const asJson = await add('wrong', 'svc_test_nobodyhasthisone0000', '--json');
  const accepted = await add('right', dev.ready.api_key);

  expect(refused).toMatchObject({ code: 0, stdout: expect.stringContaining('wrong') });
  expect(refused.stderr).toContain(`warning: ${dev.ready.base_url} refuses this key: `);
  expect(JSON.parse(asJson.stderr).warning.message).toContain('refuses this key');
  expect(accepted).toMatchObject({
    code: 0,
    stderr: 'To use it for every command, run: svc profiles use right. For one: --profile right\n',
  });
});
