import { createInterface } from 'node:readline';
import { beforeAll, expect, it } from 'vitest';
import { data as call } from '../../support/servers/server-calls.js';
import { onEveryServer } from '../../support/servers/service.js';

const COUNT = 130;

onEveryServer('listing emails', ({ run, data, start, reach }) => {
  const headers = { 'content-type': 'application/json' };
  const mail = (to: string) => JSON.stringify({ to, from: 'b@example.test', subject: 's', html: 'h' });

  beforeAll(() =>
    reach(async (ready) => {
      for (let n = 0; n < COUNT; n += 1)
        await call(ready, '/v1/emails', { method: 'POST', headers, body: mail(`${n}@example.test`) });
    }),
  );

  it('prints every one with --all, in the shape of one page', async () => {
    const { emails, pagination } = await data(['emails', 'list', '--all']);

    expect(new Set(emails.map(({ id }: { id: string }) => id)).size).toBe(COUNT);
    expect(emails[0]).toMatchObject({ to: `${COUNT - 1}@example.test` });
    expect(pagination).toEqual({ total: COUNT, limit: 100, offset: 0, has_more: false });
  });

  it('prints every one as rows under one header', async () => {
    const { stdout } = await run(['emails', 'list', '--all']);

    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(COUNT + 1);
    expect(lines[0]).toMatch(/^ID +STATUS +CREATED +TO +SUBJECT$/);
    expect(new Set(lines.map((line) => line.search(/\S+@|TO /))).size).toBe(1);
  });

  it.each([
    [
      'ada',
      /^Error: --to must be a whole address, not "ada"\.\n(?:For a part of an address, use --search to:ada\.\n)?$/,
    ],
    [
      '*ada*',
      /^Error: --to must be a whole address, not "\*ada\*"\.\n(?:For a part of an address, use --search 'to:\*ada\*'\.\n)?$/,
    ],
  ])('refuses %s as an address, with the search for it', async (part, message) => {
    const { code, stderr } = await run(['emails', 'list', '--to', part]);

    expect({ code, said: stderr.replace(/^Using .*\n/, '') }).toEqual({
      code: 2,
      said: expect.stringMatching(message),
    });
  });

  it('prints valid JSON for an empty list, and reports that nothing matches', async () => {
    const listed = await data(['emails', 'list', '--all', '--status', 'bounced']);

    expect(listed).toMatchObject({ emails: [], pagination: { total: 0, has_more: false } });
    for (const [to, all, advice] of [
      ['nobody@example.test', [], ''],
      ['*@example.test', ['--all'], ' --to and --from match whole addresses, not patterns.'],
    ] as const) {
      const { stdout, stderr } = await run(['emails', 'list', '--to', to, ...all]);
      // A local server can search for patterns, which another service cannot.
      const said = stderr.replace(/^Using .*\n/, '').replace(" For patterns, use --search 'to:*@example.test'.", '');
      expect({ stdout, said }).toEqual({ stdout: '', said: `No emails match.${advice}\n` });
    }
  });

  it('leaves stdout empty when the first page is refused', async () => {
    const { code, stdout } = await run(['emails', 'list', '--all', '--to', 'ada', '--json']);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  });

  it('follows with --watch what the filters match, as it arrives', async () => {
    const { stdout, stderr } = start(['emails', 'list', '--watch', '--to', 'wanted@example.test', '--json']);
    const lines = createInterface({ input: stdout! })[Symbol.asyncIterator]();
    const said = createInterface({ input: stderr! })[Symbol.asyncIterator]();
    expect((await said.next()).value).toContain('Waiting for emails');
    const send = async (to: string): Promise<string> =>
      (await data(['emails', 'send', '--data', '-'], { input: mail(to) })).id;

    await send('other@example.test');
    const first = await send('wanted@example.test');
    const second = await send('wanted@example.test');

    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: first, to: 'wanted@example.test' });
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ id: second });
  });
});
