import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../../support/cli/binary.js';
import { startServe, type TeamServer } from '../../support/cli/serve.js';

/** Starts servers with the arguments in docs/team.md, on a data directory instead of PostgreSQL. */

const PAGE = readFileSync(join(ROOT, 'docs/team.md'), 'utf8');
const directory = temporaryDirectory();
const servers: TeamServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  directory.remove();
});

/** Returns the arguments in a list of YAML, or the words of a line, after `serve`. */
function argumentsAfter(form: RegExp): string[] {
  const [, text = ''] = form.exec(PAGE) ?? [];
  const [command, ...args]: string[] = text.startsWith('[') ? JSON.parse(text) : text.split(' ');
  expect(command).toBe('serve');
  return args;
}

const examples: [name: string, args: string[]][] = [
  ['systemd', argumentsAfter(/^ExecStart=\S+ (.+)$/m)],
  ['Docker Compose', argumentsAfter(/command:\s*(\[[^\]]*\])/)],
  ['Kubernetes', argumentsAfter(/args: (\[[^\]]*\])/)],
];

describe('the example of', () => {
  it.each(examples)('%s answers to the name of the team, and has its address in links', async (name, args) => {
    const server = await startServe(['--data-dir', join(directory.path, name), ...args]);
    servers.push(server);

    expect(server.ready.inbox_url).toBe('https://mail.example.com/inbox');
    expect(await statusFor(server, 'mail.example.com')).toBe(200);
    expect(await statusFor(server, 'other.example.com')).toBe(403);
  });
});

/** Returns the status of a request with another Host than the address, which fetch cannot send. */
function statusFor({ ready }: TeamServer, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: ready.http.port, path: '/readyz', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}
