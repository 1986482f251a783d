import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { svc, temporaryDirectory } from '../../support/cli/binary.js';
import { onEveryLocalServer } from '../../support/servers/service.js';

/** Tests outcomes, suppressions, rules and time with the built binary, with a server and without one. */

const LINKS = '<a href="https://example.test/one">One</a> <a href="https://example.test/two">Two</a>';

onEveryLocalServer('simulating delivery', ({ run, data }) => {
  beforeEach(() => data(['dev', 'reset']));

  it('bounces an email, suppresses its address, and removes the suppression', async () => {
    await data(['emails', 'send', '--to', 'ada@example.test']);
    const simulated = await data(['emails', 'simulate', 'latest', 'bounced', '--reason', '550 5.1.1 No such user']);
    expect(simulated).toMatchObject({
      outcome: 'bounced',
      status: 'bounced',
      recipients: [{ address: 'ada@example.test', status: 'bounced' }],
    });
    expect((await data(['emails', 'get', 'latest'])).bounce_reason).toBe('550 5.1.1 No such user');

    const { suppressions } = await data(['suppressions', 'list']);
    expect(suppressions).toMatchObject([
      { address: 'ada@example.test', reason: 'hard_bounce', email_id: simulated.id },
    ]);
    const suppressed = /ada@example\.test has been suppressed since 20\S+ because msg_\w+ bounced \(hard\)\./;
    const remedy = 'To send to it again, run: svc suppressions remove ada@example.test\n';
    const { code, stderr } = await run(['emails', 'send', '--to', 'ada@example.test']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: The email was dropped for 1 recipient\. ada@/m);
    expect(stderr).toMatch(suppressed);
    expect(stderr).toContain(remedy);
    const shown = await run(['emails', 'get', 'latest']);
    expect(shown.stderr).toMatch(suppressed);
    expect(shown.stderr).toContain(remedy);
    const inspected = await run(['emails', 'inspect', 'latest']);
    expect(inspected.stdout).toMatch(suppressed);
    expect(inspected.stdout).toContain(remedy);

    expect((await run(['suppressions', 'remove', 'ada@example.test'])).code).toBe(0);
    expect((await data(['emails', 'send', '--to', 'ada@example.test'])).status).toBe('sent');
    expect((await data(['suppressions', 'add', 'Bob@example.test'])).address).toBe('bob@example.test');
  });

  it('affects one recipient, unless --all is given', async () => {
    await data(['emails', 'send', '--to', 'ada@example.test', '--to', 'bob@example.test', '--html', LINKS]);
    const refused = await run(['emails', 'simulate', 'latest', 'clicked']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^Error: Email msg_\w+ has 2 recipients: ada@example\.test, bob@example\.test\.\nPass --to ADDRESS for one of them, or --all\.\n$/,
    );

    const clicked = await run(['emails', 'simulate', 'latest', 'clicked', '--to', 'bob@example.test']);
    expect(clicked.stdout).toMatch(/^msg_\w+ {2}bob@example\.test {2}\w+\n$/);
    expect(clicked.stderr).toMatch(/^Clicked https:\/\/example\.test\/one; to click another link, pass --url\.\n$/);
    expect((await data(['emails', 'simulate', 'latest', 'bounced', '--all'])).recipients).toHaveLength(2);
  });

  it('applies a rule twice, and removes it', async () => {
    const rule = await data([
      ...['dev', 'rules', 'add', '--to', '*@corp.test', '--outcome', 'bounced', '--bounce-type', 'soft'],
      ...['--reason', '452 4.2.2 Over quota', '--times', '2', '--delay', '30s'],
    ]);
    expect(rule).toMatchObject({ to: '*@corp.test', bounce_type: 'soft', times: 2, used: 0, delay_ms: 30_000 });
    await data(['emails', 'send', '--to', 'ada@corp.test']);
    await data(['dev', 'clock', 'advance', '30s']);
    expect(await data(['emails', 'get', 'latest'])).toMatchObject({
      status: 'bounced',
      bounce_reason: '452 4.2.2 Over quota',
    });

    const listed = await run(['dev', 'rules', 'list']);
    expect(listed.stdout).toMatch(
      /rul_\w+ +\*@corp\.test +bounced +1 of 2 +soft, 452 4\.2\.2 Over quota, after 30s\n$/,
    );
    expect((await run(['dev', 'rules', 'remove', rule.id])).code).toBe(0);
    expect((await data(['dev', 'rules', 'list'])).rules).toEqual([]);
  });

  it('sets, freezes, advances and resumes time; a deferred email follows it', async () => {
    await data(['dev', 'clock', 'set', '2027-01-01T00:00:00Z']);
    expect(await data(['dev', 'clock', 'freeze'])).toMatchObject({ frozen: true });
    const { now } = await data(['dev', 'clock', 'show']);
    expect(now).toMatch(/^2027-01-01T00:0/);
    await data(['emails', 'send', '--to', 'deferred@simulator.test']);

    const travel = await data(['dev', 'clock', 'advance', '1d12h']);

    expect(travel).toMatchObject({ frozen: true, ran: { 'email.outcome': 1 } });
    expect(Date.parse(travel.now) - Date.parse(now)).toBe(36 * 3_600_000);
    const { delivered_at } = await data(['emails', 'get', 'latest']);
    expect(Date.parse(delivered_at) - Date.parse(now)).toBe(5 * 60_000);
    expect(await data(['dev', 'clock', 'resume'])).toMatchObject({ frozen: false });
    expect((await run(['dev', 'clock', 'show'])).stdout).toMatch(/^2027-01-02T12:0\S+Z {2}\d+d\S* ahead\n$/);

    expect(await data(['dev', 'clock', 'reset'])).toMatchObject({ frozen: false, offset_ms: 0 });
    expect((await run(['dev', 'clock', 'show'])).stdout).toMatch(/^\S+Z {2}system time\n$/);
  });
});

describe('a simulation that is not possible', () => {
  let directory: ReturnType<typeof temporaryDirectory>;

  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(() => directory.remove());

  it.each([
    [2, 'emails simulate latest exploded', /exploded/],
    [1, 'emails simulate latest bounced', /No emails yet/],
    [1, 'emails simulate msg_nothing bounced', /Email "msg_nothing" not found/],
    [2, 'dev clock advance soon', /such as 90s/],
    [2, 'dev clock set tomorrow', /RFC 3339/],
    [2, 'dev rules add --to *@corp.test --outcome bounced --bounce-type medium', /hard, soft/],
    [2, 'dev rules add --to *@corp.test --outcome delivered --reason no', /reason/],
    [1, 'dev rules remove rul_nothing', /Rule .* not found/],
    [1, 'suppressions add nobody', /address/],
    [1, 'suppressions remove eve@example.test', /not suppressed/],
  ])('exits %i on: %s', async (code, line, message) => {
    const finished = await svc(line.split(' '), { env: { SVC_DATA_DIR: directory.path } });
    expect(finished.stderr).toMatch(message);
    expect(finished).toMatchObject({ code, stdout: '' });
  });
});
