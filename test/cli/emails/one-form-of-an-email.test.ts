import { expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

const folder = folderOfEachTest();

it('has the same fields in a list, on its own and after a wait; links and codes where it is alone', async () => {
  await folder.startServer();
  const run = async (...args: string[]) =>
    JSON.parse((await svc(['emails', ...args, '--json'], { env: { SVC_DATA_DIR: folder.path } })).stdout);
  const html = '<p>Your code is 482913. <a href="https://shop.example/verify?t=1">Verify</a></p>';
  const { id } = await run('send', '--to=ada@example.test', '--from=a@example.test', '--subject=Hi', `--html=${html}`);

  const got = await run('get', id);
  const waited = await run('wait', '--to=ada@example.test', '--since=start');
  const [listed] = (await run('list')).emails;
  const [found] = (await run('list', '--search', `id:${id}`)).emails;

  expect(got).toMatchObject({
    codes: [{ value: '482913' }],
    links: [{ href: 'https://shop.example/verify?t=1' }],
    to: 'ada@example.test',
  });
  expect(waited).toEqual(got);
  expect(got).toMatchObject(listed);
  for (const name of ['links', 'codes']) expect([listed, found].some((email) => name in email)).toBe(false);
  for (const [name, value] of Object.entries(found)) if (name in got) expect([name, value]).toEqual([name, got[name]]);
});
