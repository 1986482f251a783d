import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeRunningServer } from '../../../src/cli/data-dir/data-dir.js';
import { INSPECTIONS_AT_ONCE, withSubjectMarks } from '../../../src/cli/emails/parse-state.js';
import { identityOf } from '../../../src/cli/process/process-identity.js';
import type { Client } from '../../../src/client/client.js';
import type { EmailSummary } from '../../../src/contract/service/emails.js';
import { ROOT, startDev, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { deliver } from '../../support/mail/smtp-session.js';
import { startApp, TEST_KEY, type TestApp, WEBHOOK_SECRET } from '../../support/servers/app.js';

/** Tests how a message is shown that is still being parsed, or could not be parsed. */

const HANGING = join(ROOT, 'test/fixtures/workers/hanging-parser.cjs');
const COMPLEX = 'From: a@x.test\r\nSubject: =?utf-8?q?slow?=\r\n\r\nhi\r\n';
const UNREADABLE = 'no header\r\n';
const EMPTY = 'From: a@x.test\r\n\r\n\r\n';
const ANY_PORT = { host: '127.0.0.1', port: 0 };

const folders: ReturnType<typeof temporaryDirectory>[] = [];
let folder: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  folder = temporaryDirectory();
  folders.push(folder);
});
afterEach(() => {
  for (const each of folders.splice(0)) each.remove();
});
const run = (...args: string[]) => svc([...args, '--data-dir', folder.path]);

describe('a message that is still being parsed', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await startApp({ processing: { entry: HANGING, deadlineMs: 600_000 } });
    const { baseUrl, smtp } = await app.listen({ http: ANY_PORT, smtp: ANY_PORT });
    writeRunningServer(folder.path, {
      pid: process.pid,
      process: identityOf(process.pid) ?? null,
      instance: app.instance,
      base_url: baseUrl,
      smtp,
      data_dir: null,
      started_at: '2026-01-01T00:00:00.000Z',
      api_key: TEST_KEY,
      webhook_secret: WEBHOOK_SECRET,
    });
    await deliver(smtp, COMPLEX, { to: ['ada@example.test'] });
  });
  afterEach(() => app.closeClean());

  // Other systems identify a server by the lock of its directory, which a server in memory does not have.
  it.skipIf(process.platform !== 'linux')('is marked in the list, and explained by get and inspect', async () => {
    for (const all of [[], ['--all']]) {
      const { code, stdout } = await run('emails', 'list', ...all);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/ada@example\.test +slow \(parsing\)\n$/),
      });
    }
    expect(JSON.parse((await run('emails', 'list', '--json')).stdout).emails).toMatchObject([{ subject: 'slow' }]);
    expect((await run('emails', 'get', 'latest')).stderr).toContain('This message is still being parsed.\n');
    const { stdout } = await run('emails', 'inspect', 'latest');
    expect(stdout).toContain('subject  slow\n');
    expect(stdout).toContain('Parsing:\n  The message is still being parsed.');
  });
});

describe('a message that could not be parsed', () => {
  it('is marked in the list, and explained by get, inspect and the body flags', async () => {
    const dev = await startDev(['--data-dir', folder.path]);
    await deliver(dev.ready.smtp, EMPTY, { to: ['eve@example.test'] });
    await deliver(dev.ready.smtp, UNREADABLE, { to: ['ada@example.test'] });
    const note =
      /^This message could not be parsed: The message has no header fields\. See the raw message with: svc emails get msg_\w+ --raw --data-dir \S+\n/;

    // Waits for the reader, which a busy machine delays.
    const get = await run('emails', 'get', 'latest');
    const list = await run('emails', 'list');
    const text = await run('emails', 'get', 'latest', '--text');
    const json = await run('emails', 'get', 'latest', '--json');
    const inspect = await run('emails', 'inspect', 'latest');
    await dev.stop();

    expect(list.stdout).toMatch(/ada@example\.test +\(cannot be parsed\)\n/);
    expect(list.stdout).toMatch(/eve@example\.test +-\n/);
    expect(get.stderr).toMatch(note);
    expect(text.stderr).toMatch(note);
    expect(json.stderr).toBe('');
    expect(inspect.stdout).toContain('subject  (cannot be parsed)\n');
    // The same without a server.
    expect((await run('emails', 'list')).stdout).toMatch(/\(cannot be parsed\)\n/);
  });

  it('is listed and shown without a mark where the control API is disabled', async () => {
    const dev = await startDev(['--data-dir', folder.path, '--no-control']);
    await deliver(dev.ready.smtp, UNREADABLE, { to: ['ada@example.test'] });

    const list = await run('emails', 'list');
    const get = await run('emails', 'get', 'latest');
    await dev.stop();

    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/ada@example\.test +-\n$/) });
    expect(get).toMatchObject({ code: 0, stderr: expect.not.stringContaining('parsed') });
  });
});

describe('a page of messages without a subject', () => {
  it('is marked in its order, with a few inspections at a time', async () => {
    let running = 0;
    let most = 0;
    const inspect = async (_: string, { params: { id } }: { params: { id: string } }) => {
      running += 1;
      most = Math.max(most, running);
      // Inspections end in another order than they began.
      for (let turns = Number(id) % 3; turns >= 0; turns -= 1) await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { parsing: Number(id) % 2 === 0, parse_error: 'x' };
    };
    const client = { control: inspect } as unknown as Client;
    const emails = Array.from({ length: 100 }, (_, index) => ({
      id: String(index),
      subject: index === 50 ? 'Hi' : '',
    })) as EmailSummary[];

    const marked = await withSubjectMarks(client, emails);

    expect(most).toBe(INSPECTIONS_AT_ONCE);
    expect(marked.map(({ id }) => id)).toEqual(emails.map(({ id }) => id));
    expect(marked[50]).toEqual(emails[50]);
    expect(marked.slice(0, 2).map(({ subject }) => subject)).toEqual(['(parsing)', '(cannot be parsed)']);
  });
});
