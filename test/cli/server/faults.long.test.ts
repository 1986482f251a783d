import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { data } from '../../support/servers/server-calls.js';

const MESSAGE = 'From: app@example.test\r\nTo: ada@example.test\r\nSubject: Hi\r\n\r\nHello\r\n';

describe('svc dev faults', () => {
  const folder = folderOfEachTest();
  const run = (...args: string[]) => svc(args, { env: { SVC_DATA_DIR: folder.path } });
  const faults = (...args: string[]) => run('dev', 'faults', ...args);

  it('adds, counts, keeps across restarts, and removes', async () => {
    const dev = await folder.startServer();
    const added = await faults('add', '--smtp', 'end', '--code', '550', '--text', '5.7.1 No', '--times', '2');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    const [, id = ''] = /^(flt_\w+) {2}smtp end {2}550\n$/.exec(added.stdout) ?? [];
    expect(await deliver(dev.ready.smtp, MESSAGE)).toBe('550 5.7.1 No (injected by svc)');
    expect(await dev.stop()).toBe(0);

    const again = await folder.startServer();
    expect(await deliver(again.ready.smtp, MESSAGE)).toBe('550 5.7.1 No (injected by svc)');
    expect(await deliver(again.ready.smtp, MESSAGE)).toMatch(/^250 /);
    expect((await faults('list')).stdout).toMatch(
      /^ID +TARGET +EFFECT +HITS +TIMES LEFT +DETAILS\nflt_\w+ +smtp end +550 +2 +0 +5\.7\.1 No\n$/,
    );

    expect((await faults('remove', id)).stdout).toBe(`${id}  removed\n`);
    expect(await faults('remove', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('not found') });
    expect((await faults('list')).stderr).toContain('No faults. Add one with: svc dev faults add');
  });

  it('adds presets, and removes everything', async () => {
    await folder.startServer();

    expect((await faults('add', '--preset', 'provider-outage')).stdout).toMatch(
      /^flt_\w+ {2}\* \/v1\/\* {2}503 upstream_error\nflt_\w+ {2}smtp connect {2}421\n$/,
    );
    const sent = await run('emails', 'send', '--to', 'ada@example.test');
    expect(sent).toMatchObject({ code: 1, stderr: expect.stringContaining('(injected by svc)') });
    expect((await faults('remove', '--all')).stdout).toBe('2 faults removed\n');
    expect((await run('emails', 'send', '--to', 'ada@example.test')).code).toBe(0);
  });

  it.each([
    [['--smtp', 'rcpt', '--code', '200'], '--code must be from 400 to 599 with smtp.'],
    [['--smtp', 'end', '--drop', 'before', '--code', '451'], '--code cannot be combined with drop.'],
    [['--smtp', 'quit', '--code', '451'], '--smtp must be one of connect, ehlo'],
    [['--http', 'POST /v1/emails', '--code', '500', '--probability', '0'], '--probability must be more than 0'],
    [['--http', 'POST /v1/emails', '--code', '500', '--probability', 'often'], '--probability must be a number'],
    [['--http', 'POST /v1/email', '--code', '500'], '--http does not match any operation of the service.'],
    [['--http', '/v1/emails', '--code', '500'], '--http must be a method and a path'],
    [['--code', '500'], 'Pass exactly one of --smtp, --http and --webhook, or --preset.'],
    [['--smtp', 'end'], 'Pass at least one of --code'],
    [['--smtp', 'end', '--code', '451', '--match', 'subject:('], 'Invalid query'],
    [['--smtp', 'end', '--code', '451', '--delay', 'soon'], '--delay'],
    [['--smtp', 'end', '--delay', '2h'], '--delay must be more than 0 and at most 1h.'],
    [['--preset', 'greylist', '--code', '500'], '--preset cannot be combined with --code.'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await faults('add', ...args);

    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('of svc dev --fault are added once', async () => {
    const first = await folder.startServer(['--data-dir', folder.path, '--fault', 'greylist']);
    expect((await data(first.ready, '/_svc/faults')).faults).toHaveLength(1);
    await first.stop();

    const second = await folder.startServer([
      ...['--data-dir', folder.path, '--fault', 'greylist', '--fault', 'slow-network'],
    ]);
    const presets = (await data(second.ready, '/_svc/faults')).faults.map(({ preset }: { preset: string }) => preset);
    expect(new Set(presets)).toEqual(new Set(['greylist', 'slow-network']));
    expect(presets).toHaveLength(5);
  });

  it('of svc dev exec --fault are met by the command', async () => {
    const script = `fetch(process.env.SVC_BASE_URL + '/emails', { headers: { authorization: 'Bearer ' + process.env.SVC_API_KEY } })
      .then(async (response) => console.log(response.status, (await response.json()).error.code));`;

    const { code, stdout } = await run(
      ...['dev', 'exec', '--fresh', '--fault', 'provider-outage', '--', process.execPath, '-e', script],
    );

    expect({ code, stdout }).toEqual({ code: 0, stdout: '503 upstream_error\n' });
  });
});
