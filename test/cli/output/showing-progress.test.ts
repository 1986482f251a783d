import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARY, svc, temporaryDirectory } from '../../support/cli/binary.js';
import { openTerminal, type Terminal } from '../../support/cli/terminal/terminal.js';
import { answers, type ScriptedServer, type Step, startScripted } from '../../support/servers/scripted-server.js';

/**
 * Tests the progress of long work: shown on a terminal, on stderr, and removed at the end. The test decides when the
 * server answers.
 */

const template = (index: number) => ({
  id: `tpl_${index}`,
  name: `template ${index}`,
  subject: 'Hi',
  html: 'x',
  text: '',
  created_at: '2026-03-01T12:00:00.000Z',
  updated_at: '2026-03-01T12:00:00.000Z',
});

function page(from: number, to: number, total: number): Step {
  const templates = Array.from({ length: to - from }, (_, index) => template(from + index));
  return answers({ templates, pagination: { total, limit: 100, offset: from, has_more: to < total } });
}

describe('long work', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let server: ScriptedServer;
  let terminal: Terminal | undefined;
  let release: () => void;

  beforeEach(async () => {
    directory = temporaryDirectory();
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await startScripted([
      page(0, 100, 250),
      (response, asked) => void held.then(() => page(100, 200, 250)(response, asked)),
      page(200, 250, 250),
    ]);
  });
  afterEach(async () => {
    await terminal?.close();
    terminal = undefined;
    release();
    await server.close();
    directory.remove();
  });

  const baseEnv = () => ({
    SVC_BASE_URL: server.baseUrl,
    SVC_API_KEY: 'svc_test_x',
    SVC_DATA_DIR: directory.path,
  });
  const open = async (line: string, env: Record<string, string> = {}) => {
    const script = `"${process.execPath}" "${BINARY}" ${line}`;
    terminal = await openTerminal(['sh', '-c', script], { columns: 70, env: { ...baseEnv(), ...env } });
    return terminal;
  };

  it('shows a bar below the rows printed so far, and removes it', async () => {
    const { until } = await open('templates list --all');

    const during = await until(/Reading {2}█+░+ {2}40% {2}100 of 250/);
    expect(during).toMatch(/tpl_99 .*\n(Reading .*)\n/);
    release();
    const after = await until(/ended with 0/);
    expect(after).toContain('tpl_249');
    expect(after).not.toContain('Reading');
  });

  it('shows a bar while a file is written, without a byte of it in the file', async () => {
    const file = join(directory.path, 'templates.txt');
    const { until } = await open(`templates list --all > "${file}"`);

    await until(/Reading {2}█+░+ {2}40%/);
    release();
    expect(await until(/ended with 0/)).not.toContain('Reading');
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(252);
    expect(readFileSync(file, 'utf8')).not.toContain('█');
  });

  it.each([
    ['with --json to a file', 'templates list --all --json > /dev/null', {}],
    ['in a pipe', 'templates list --all | cat > /dev/null', {}],
    ['in CI', 'templates list --all > /dev/null', { CI: '1' }],
    ['on a terminal without cursor control', 'templates list --all > /dev/null', { TERM: 'dumb' }],
  ])('shows none %s', async (_, line, env: Record<string, string>) => {
    release();
    const { until } = await open(line, env);
    expect(await until(/ended with 0/)).not.toMatch(/Reading|█/);
  });

  it('shows none without a terminal', async () => {
    release();
    const { code, stderr } = await svc(['templates', 'list', '--all'], { env: baseEnv() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Using ${server.baseUrl}\n` });
  });

  it('shows how much of the server’s templates a pull has read', async () => {
    const { until } = await open(`templates pull "${join(directory.path, 'pulled')}"`);
    await until(/Reading templates {2}█+░+ {2}40% {2}100 of 250/);
    release();
    expect(await until(/ended with 0/)).not.toContain('Reading');
  });

  it('shows how many templates a push has created', async () => {
    for (const name of ['a', 'b']) {
      mkdirSync(join(directory.path, name));
      writeFileSync(join(directory.path, name, 'template.json'), JSON.stringify({ name, subject: 'Hi' }));
      writeFileSync(join(directory.path, name, 'body.html'), 'x');
    }
    await server.close();
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = await startScripted([
      page(0, 0, 0),
      answers({ ...template(0), name: 'a' }, 201),
      (response, asked) => void held.then(() => answers({ ...template(1), name: 'b' }, 201)(response, asked)),
    ]);
    const { until } = await open(`templates push "${directory.path}" --yes`);
    await until(/Pushing templates {2}█+░+ {2}50% {2}1 of 2/);
    release();
    const after = await until(/ended with 0/);
    expect(after).not.toContain('Pushing');
    expect(after).toContain('+ b');
  });
});
