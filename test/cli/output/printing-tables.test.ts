import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { printed } from '../../../src/cli/output/color.js';
import { analyticsChart } from '../../../src/cli/output/formatters/analytics.js';
import { BINARY, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { openTerminal } from '../../support/cli/terminal/terminal.js';
import { answers, type ScriptedServer, startScripted } from '../../support/servers/scripted-server.js';

/** Tests lists for a person, on terminals of several widths; the server's time comes from its responses. */

const NOW = '2026-03-01T12:00:00.000Z';
const ID = 'msg_01k9m3v5w7x9y1z3a5b7c9d1e';
const LONG = 'a-very-long-address-that-goes-on-and-on@subdomain.example.test, second@example.test';

const email = (n: number, to: string, subject: string, status: string, created_at: string) => ({
  id: `${ID}${n}`,
  to,
  subject,
  status,
  created_at,
});

const emails = [
  email(1, 'ada@example.test', 'Hello', 'delivered', '2026-03-01T11:58:00.000Z'),
  email(2, LONG, 'A subject that is a good deal longer than there is room for', 'bounced', '2026-02-27T11:00:00.000Z'),
  email(
    3,
    'eve@example.test',
    '日本語の件名はとても長いのでここには収まりきりません',
    'scheduled',
    '2026-03-01T15:00:00.000Z',
  ),
  email(
    4,
    'bob@example.test',
    '👩‍👩‍👧‍👦🎉🇩🇪 party 🎉🎉🎉🎉🎉🎉🎉🎉🎉 and more',
    'cancelled',
    '2026-03-01T11:59:59.500Z',
  ),
];

const counters = { sent: 0, delivered: 0, bounced: 0, complained: 0, opened: 0, clicked: 0 };
const analytics = {
  total: { ...counters, sent: 60, delivered: 45, bounced: 15, opened: 30 },
  by_date: [
    { ...counters, date: '2026-02-27', sent: 20, delivered: 20 },
    { ...counters, date: '2026-02-28' },
    { ...counters, date: '2026-03-01', sent: 40, delivered: 25, bounced: 15, opened: 30 },
  ],
};

describe('a table', () => {
  let server: ScriptedServer;
  let directory: ReturnType<typeof temporaryDirectory>;

  beforeEach(async () => {
    directory = temporaryDirectory();
    const pagination = { total: emails.length, limit: 20, offset: 0, has_more: false };
    server = await startScripted([
      (response, asked) =>
        answers(asked.path.includes('analytics') ? analytics : { emails, pagination }, 200, NOW)(response, asked),
    ]);
  });
  afterEach(async () => {
    await server.close();
    directory.remove();
  });

  const env = () => ({ SVC_BASE_URL: server.baseUrl, SVC_API_KEY: 'svc_test_x', SVC_DATA_DIR: directory.path });

  /** Returns the lines that a command leaves on a terminal of this width, without the shell's own. */
  async function shown(args: string[], columns: number): Promise<{ lines: string[]; styled: string }> {
    const terminal = await openTerminal([process.execPath, BINARY, ...args], { columns, env: env() });
    try {
      const screen = await terminal.until(/ended with 0/);
      const all = screen.split('\n');
      const first =
        all.findIndex((line) => line.startsWith('Using ')) + Math.ceil(`Using ${server.baseUrl}`.length / columns);
      const lines = all.slice(
        first,
        all.findIndex((line) => line.startsWith('ended')),
      );
      return { lines, styled: terminal.styled() };
    } finally {
      await terminal.close();
    }
  }

  it.each([160, 120, 80, 60, 40])(
    'of emails fits a terminal of %i columns: one line a row, with the end of each id',
    async (columns) => {
      const { lines } = await shown(['emails', 'list'], columns);

      expect(lines).toHaveLength(emails.length + 1);
      expect(lines.map((line) => line.split(' ')[0])).toEqual(['ID', ...emails.map(({ id }) => `…${id.slice(-6)}`)]);
    },
  );

  it('of emails has complete ids if everything fits', async () => {
    const { lines } = await shown(['emails', 'list'], 240);

    expect(lines.map((line) => line.split(' ')[0])).toEqual(['ID', ...emails.map(({ id }) => id)]);
  });

  it('shows how long ago something was, by the service’s clock', async () => {
    const { lines } = await shown(['emails', 'list'], 120);

    expect(lines.slice(1).map((line) => /\b(now|in \d+\w|\d+\w ago)\b/.exec(line)?.[0])).toEqual([
      '2m ago',
      '2d ago',
      'in 3h',
      'now',
    ]);
  });

  it('keeps its columns aligned next to wide characters, and truncates with an ellipsis', async () => {
    const { lines } = await shown(['emails', 'list'], 100);

    // The screen has two columns for each of these, and the capture one character.
    expect(lines[3]).toMatch(/日本語の件名.*…$/);
    expect(lines[4]).toMatch(/party.*…$/);
    expect(lines[2]).toMatch(/a-very-long-address-.*… {2}A subject that.*…$/);
    expect(new Set(lines.slice(0, 2).map((line) => line.search(/SUBJECT|Hello/))).size).toBe(1);
  });

  it('is complete and plain in a pipe, with times in full', async () => {
    const { stdout } = await svc(['emails', 'list'], { env: env() });

    const lines = stdout.trimEnd().split('\n');
    for (const [index, each] of emails.entries()) {
      const { created_at, ...others } = each;
      const [time = ''] = /\d{4}-\S+T\S+/.exec(lines[index + 1] ?? '') ?? [];
      expect(Date.parse(time)).toBe(Math.trunc(Date.parse(created_at) / 1_000) * 1_000);
      for (const value of Object.values(others)) expect(lines[index + 1]).toContain(value);
    }
    expect(stdout).not.toContain('…');
    expect(stdout).not.toContain('\u001b');
    const { stdout: json } = await svc(['emails', 'list', '--json'], { env: env() });
    expect(JSON.parse(json).emails).toEqual(emails);
  });

  it('has meaningful colours, on a terminal or when requested', async () => {
    const { styled } = await shown(['emails', 'list'], 120);
    const green = '\u001b[32mdelivered';
    const red = '\u001b[31mbounced';
    expect(styled).toContain(green);
    expect(styled).toContain(red);

    const colors = async (settings: Record<string, string>) =>
      (await svc(['emails', 'list'], { env: { ...env(), ...settings } })).stdout.includes('\u001b[');
    expect(await colors({ FORCE_COLOR: '1' })).toBe(true);
    expect(await colors({ FORCE_COLOR: '0' })).toBe(false);
    expect(await colors({ NO_COLOR: '1' })).toBe(false);
    const terminal = await openTerminal([process.execPath, BINARY, 'emails', 'list'], {
      env: { ...env(), NO_COLOR: '1' },
    });
    try {
      await terminal.until(/ended with 0/);
      expect(terminal.styled()).not.toContain('\u001b[3');
    } finally {
      await terminal.close();
    }
  });

  it.each([100, 40])('of counts is drawn as bars that fit %i columns', async (columns) => {
    const { lines } = await shown(['analytics'], columns);

    const [first, second, legend, , ...totals] = lines.map((line) => line.trimEnd());
    const bar = (line = '') => (/[█▓▒░]+$/.exec(line)?.[0] ?? '').length;
    expect(first).toMatch(/^2026-02-27 {2}20 {2}█+$/);
    expect(second).toMatch(/^2026-03-01 {2}40 {2}█+▓+$/);
    expect(bar(second)).toBe(Math.min(60, columns - 16));
    expect(bar(first)).toBe(Math.ceil(bar(second) / 2));
    expect(legend).toBe('█ delivered ▓ bounced ░ rest');
    expect(totals).toHaveLength(6);
    expect(totals[0]).toMatch(/^sent {8}60 +█+$/);
    expect(totals[1]).toMatch(/^delivered {3}45 {3}75% {2}█+$/);
    expect(totals[3]).toMatch(/^complained {3}0 {4}0%$/);
  });

  it('of counts does not draw an email twice that bounced after its delivery', () => {
    const counts = { sent: 26, delivered: 22, bounced: 8, complained: 0, opened: 0, clicked: 0 };

    const chart = analyticsChart([{ date: '2026-03-01', ...counts }], counts, { width: 42, now: NOW });

    expect(printed(chart, false).split('\n')[0]).toBe('2026-03-01  26  ██████████████████▓▓▓▓▓▓▓▓');
  });

  it('of counts is numbers in a pipe, or when requested, and the response itself as JSON', async () => {
    const { stdout } = await svc(['analytics'], { env: env() });
    const expected = [
      'DATE        SENT  DELIVERED  BOUNCED  COMPLAINED  OPENED  CLICKED',
      '2026-02-27    20         20        0           0       0        0',
      '2026-03-01    40         25       15           0      30        0',
      'total         60         45       15           0      30        0',
    ];
    expect(stdout.split('\n')).toEqual([...expected, '']);
    expect((await shown(['analytics', '--table'], 100)).lines.map((line) => line.trimEnd())).toEqual(expected);
    const { stdout: json } = await svc(['analytics', '--json'], { env: env() });
    expect(JSON.parse(json)).toEqual(analytics);
  });
});
