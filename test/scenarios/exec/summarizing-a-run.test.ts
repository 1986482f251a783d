import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { summaryFile } from '../../../src/cli/server/exec/flags.js';
import { readSummary, summaryOf, writeSummary } from '../../../src/cli/server/exec/summary.js';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { capturedBy, clientOf } from './running.js';

/** Tests the Markdown of svc dev exec --summary. */

describe('the summary of a run', () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.closeClean());

  const summary = async () =>
    summaryOf({
      ...(await readSummary(capturedBy(app))),
      command: 'npm test',
      outcome: 'exited with code 1',
      report: await clientOf(app).control('report', {}),
      artifacts: '/tmp/art`ifacts',
    });
  const send = (fields: object) =>
    app.call('POST', '/v1/emails', { to: 'ada@x.test', from: 'a@x.test', subject: 'S', html: 'x', ...fields });

  it('counts emails by status, and lists unsuccessful deliveries with their state and warnings', async () => {
    await clientOf(app).call('webhooks.create', {
      body: { url: 'http://127.0.0.1:9/hook', events: ['email.bounced'] },
    });
    await send({});
    await send({ to: 'bounced@simulator.test', tagz: [] });
    await app.call('POST', '/_svc/settle', {});

    const text = await summary();

    expect(text).toMatch(
      /^## svc: 2 emails\n\n`npm test` exited with code 1\.\n\nEmails: 1 bounced, 1 delivered\.\n\n/,
    );
    expect(text).toContain('Artifacts: `` /tmp/art`ifacts ``\n');
    expect(text).toMatch(
      /### Unsuccessful webhook deliveries \(1\)\n\n\| Event .*\n.*\n\| email\.bounced \| `http:\/\/127.*` \| pending \| 1 \|/,
    );
    expect(text).toMatch(/### Warnings \(1\)\n\n\| Warning .*\n.*\n\| unknown\\_field \| POST \/v1\/emails \| tagz/);
  });

  it('shows text of emails as code, in which GitHub finds no markup, link or name', async () => {
    await send({ subject: 'a | b ![x](https://x.test/p.png) <img src=x> `c` @octocat \\' });

    const row = (await summary()).split('\n').find((line) => line.includes('ada@x.test'));

    expect(row).toMatch(/ \| `a@x\.test` \| `ada@x\.test` \| /);
    expect(row).toContain('| `` a \\| b ![x](https://x.test/p.png) <img src=x> `c` @octocat \\ `` |');
  });

  it('lists the newest 20 emails', async () => {
    for (let index = 1; index <= 22; index += 1) await send({ subject: `number ${index}` });

    const text = await summary();

    expect(text).toContain('### Newest 20 of 22 emails');
    expect(text.match(/number \d+/g)?.slice(0, 2)).toEqual(['number 22', 'number 21']);
    expect(text).not.toContain('`number 2`');
  });

  it('is appended to the file of GitHub, and replaces an own file', () => {
    const folder = temporaryDirectory();
    const file = join(folder.path, 'summary.md');
    const env = { GITHUB_STEP_SUMMARY: file };

    expect(summaryFile('-', {})).toBeUndefined();
    for (const value of ['-', '-']) writeSummary(summaryFile(value, env) as never, '# A\n');
    expect(readFileSync(file, 'utf8')).toBe('# A\n\n# A\n\n');
    writeSummary(summaryFile(file, env) as never, '# B\n');
    expect(readFileSync(file, 'utf8')).toBe('# B\n');
    expect(() => writeSummary({ file: folder.path, isShared: false }, 'x')).toThrow('it is a directory');
    folder.remove();
  });
});
