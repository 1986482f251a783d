import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MARKER_TEXT } from '../../../../src/cli/server/exec/artifacts/artifact-directory.js';
import { svc, svcInTurn } from '../../../support/cli/binary.js';
import { folderOfEachTest } from '../../../support/each-test.js';

/** Tests what svc dev exec does before and after the command: seed, artifacts and summary. */

describe('svc dev exec', () => {
  const folder = folderOfEachTest();

  const BROWSER = { SVC_BROWSER: '/nowhere/chrome', SVC_BROWSER_SANDBOX: '0' };
  const NO_PICTURES = 'Artifacts without pictures. Cannot start /nowhere/chrome: it does not exist, or cannot be run.';
  const exec = (...args: string[]) =>
    svc(['dev', 'exec', '--fresh', ...args], { env: { ...BROWSER, SVC_DATA_DIR: folder.path } });
  const node = (script: string) => ['--', process.execPath, '-e', script];
  const SEND = `fetch(process.env.SVC_BASE_URL + '/emails', { method: 'POST', headers: {
      authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ to: 'ada@example.test', from: 'app@example.test', subject: 'Hi', html: 'x', tagz: 1 }) })`;

  it('seeds its server, and keeps what it captured if the command fails', async () => {
    const [seed, artifacts, summary] = ['seed', 'artifacts', 'summary.md'].map((name) => join(folder.path, name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(join(seed, 'mail'), { recursive: true });
    writeFileSync(join(seed, 'mail', 'old.eml'), 'From: a@x.test\nTo: b@x.test\nSubject: Old\n\nHi');
    const script = `${SEND}.then(() => { console.log(process.env.SVC_SINCE); process.exit(7); })`;

    const { code, stdout, stderr } = await exec(
      ...['--seed', seed, '--artifacts', artifacts, '--summary', summary],
      ...node(script),
    );

    expect({ code, stderr }).toEqual({ code: 7, stderr: `${NO_PICTURES}\nArtifacts: ${artifacts}\n` });
    const json = readdirSync(join(artifacts, 'messages')).filter((name) => name.endsWith('.json'));
    const emails = json.map((name) => JSON.parse(readFileSync(join(artifacts, 'messages', name), 'utf8')));
    expect(emails).toMatchObject([
      { subject: 'Old', status: 'delivered' },
      { subject: 'Hi', status: 'delivered' },
    ]);
    // Waits of the command start after the seed.
    expect(emails[0].created_at < stdout.trim() && stdout.trim() <= emails[1].created_at).toBe(true);
    expect(readFileSync(join(artifacts, 'requests.jsonl'), 'utf8')).toMatch(/^\{.*"path":"\/v1\/emails".*\}\n$/);
    expect(readFileSync(summary, 'utf8')).toMatch(
      /^## svc: 2 emails\n[\s\S]* exited with code 7\.\n[\s\S]*unknown\\_field/,
    );
  });

  it('keeps the reason of a refused request', async () => {
    const artifacts = join(folder.path, 'artifacts');
    const refused = SEND.replace("subject: 'Hi'", "subject: '', from: 'nobody'");

    await exec('--artifacts', artifacts, ...node(`${refused}.then(() => process.exit(1))`));

    const [request] = readFileSync(join(artifacts, 'requests.jsonl'), 'utf8').split('\n');
    const { error_details } = JSON.parse(request ?? '');
    expect(error_details).toHaveLength(2);
    const page = readFileSync(join(artifacts, 'index.html'), 'utf8');
    expect(page).toContain('validation_error: from: must be one address, in the form user@host or Name');
    expect(page).toContain('subject: must not be empty');
  });

  it('keeps no artifacts if the command succeeds, and prints the summary on stderr, without keys', async () => {
    const artifacts = join(folder.path, 'artifacts');
    mkdirSync(join(artifacts, 'messages'), { recursive: true });
    writeFileSync(join(artifacts, '.svc-artifacts'), MARKER_TEXT);

    const { code, stdout, stderr } = await exec(
      ...['--artifacts', artifacts, '--summary', ...node(`'svc_test_${'a'.repeat(32)}'; ${SEND}`)],
    );

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^## svc: 1 email\n/);
    expect(stderr).toContain('svc_test_…');
    expect(stderr).not.toContain('svc_test_a');
    expect(readdirSync(artifacts)).toEqual(['.svc-artifacts']);
  });

  it.each([
    ['its own exit code', 'process.exit(7)', 7],
    ['3 for a warning', SEND, 3],
    ['1 for artifacts that cannot be written', '', 1],
  ])('exits with %s first', async (_, script, expected) => {
    const artifacts = join(folder.path, 'artifacts');
    const block = `fs.writeFileSync(${JSON.stringify(artifacts)}, '');${script}`;

    const { code, stderr } = await exec(
      ...['--artifacts', artifacts, '--artifacts-always', '--fail-on-warning', ...node(block)],
    );

    expect(code).toBe(expected);
    expect(stderr).toContain(`Cannot write artifacts to ${artifacts}: `);
  });

  it('refuses a seed for a running server', async () => {
    await folder.startServer();
    const args = ['dev', 'exec', '--seed', folder.path, ...node('console.log("ran")')];

    expect(await svcInTurn(args, { env: { SVC_DATA_DIR: folder.path } })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--seed'),
    });
  });

  it.each([
    [['--seed', '/nowhere'], '--seed: Directory /nowhere not found.'],
    [['--artifacts-always'], '--artifacts'],
    [['--artifacts', '/proc/svc'], 'Cannot write artifacts to /proc/svc: '],
    [['--summary', '/nowhere/s.md'], 'Cannot write /nowhere/s.md: no such file or directory.'],
  ])('refuses %j before the command starts', async (args, message) => {
    const refused = svcInTurn(['dev', 'exec', '--fresh', ...args, ...node('console.log("ran")')], {
      env: { SVC_DATA_DIR: folder.path },
    });
    expect(await refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
