import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { request } from '../../support/servers/server-calls.js';

/** Tests the command lines that assert and search; what they find is tested in process. */

describe('asserting and searching on the command line', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;

  beforeAll(async () => {
    dev = await startDev(['--data-dir', folder.path]);
    for (const n of [1, 2, 3]) {
      const email = { to: `ada${n}@example.test`, from: 'b@example.test', subject: `Order ${n}`, html: '<p>{{x}}</p>' };
      const headers = { 'content-type': 'application/json' };
      await request(dev.ready, '/v1/emails', { method: 'POST', headers, body: JSON.stringify(email) });
    }
  });

  afterAll(async () => {
    await dev.stop();
    folder.remove();
  });

  const emails = (args: string[], env: Record<string, string> = {}) =>
    svc(['emails', ...args, '--data-dir', folder.path], { env, cwd: folder.path });

  it('exits with 3 and lists all failed checks, also as annotations and as JUnit XML', async () => {
    const args = ['assert', '--to', 'ada2@example.test', '--contains=Hello', '--no-placeholders', '--junit=r.xml'];
    const { code, stdout, stderr } = await emails(args, { GITHUB_ACTIONS: 'true' });

    expect({ code, stdout: stdout.replace(/msg_\w+/, 'ID') }).toEqual({
      code: 3,
      stdout:
        'ok      email: found ID to ada2@example.test: "Order 2"\n' +
        'FAILED  contains "Hello": not found in the subject or HTML\n' +
        'FAILED  no-placeholders: found {{x}} in the HTML\n',
    });
    expect(stderr.replace(/^msg_\w+ was received (?:just now|\d+s ago)\.$/m, 'AGE')).toBe(
      '::error title=svc emails assert%3A contains "Hello"::not found in the subject or HTML\n' +
        '::error title=svc emails assert%3A no-placeholders::found {{x}} in the HTML\n' +
        'AGE\n2 of 3 checks failed.\n',
    );
    expect(readFileSync(join(folder.path, 'r.xml'), 'utf8')).toContain('tests="3" failures="2"');
  });

  it('considers emails since SVC_SINCE, and prints the result as JSON', async () => {
    const { code, stdout, stderr } = await emails(['assert', '--json'], { SVC_SINCE: 'c3' });

    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      passed: false,
      checks: [{ name: 'email', passed: false, message: expect.stringContaining('since c3') }],
      email: null,
      near_misses: [],
    });
  });

  it('lists the matches of a query that the filters allow, page by page', async () => {
    const { code, stdout, stderr } = await emails([
      'list',
      '--search=subject:order',
      '--from=b@example.test',
      '--limit=2',
    ]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 of 3 shown. For more, add --offset 2.\n' });
    expect(stdout.match(/Order \d/g)).toEqual(['Order 3', 'Order 2']);
  });

  it('explains an operator in lower case, where nothing matches', async () => {
    const { code, stdout, stderr } = await emails(['list', '--search', 'order or receipt']);

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('No emails match. "or" is searched for as a word; the operator is OR.');
  });

  it('points at the problem of a query', async () => {
    const { code, stdout, stderr } = await emails(['list', '--search', 'subject:order form:ada']);

    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'Error: Invalid query: unknown field "form" at column 15, expected a field such as from, to or subject.\n' +
        '  subject:order form:ada\n' +
        '                ^\n' +
        'Did you mean "from:"? To search for the text, quote it: "form:ada".\n',
    });
  });
});
