import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { ROOT } from '../cli/binary.js';
import { freePort } from '../postgres.js';

/** Runs nginx and Caddy with the configurations of the docs, on other ports and without TLS. */

const START_ATTEMPTS = 200;
const START_PAUSE_MS = 25;

export interface RunningProxy {
  port: number;
  stop(): Promise<void>;
}

export type ProxyName = 'nginx' | 'caddy';

/** Starts a proxy of docs/proxies.md in a directory, in front of servers that listen on these ports. */
export async function startProxy(
  name: ProxyName,
  directory: string,
  ports: readonly [number, number],
): Promise<RunningProxy> {
  const addresses = { '10.0.0.11:8025': ports[0], '10.0.0.12:8025': ports[1] };
  return startExample(name, directory, { page: 'docs/proxies.md', addresses });
}

/** Starts the proxy of a page of the docs, with ports of this machine in place of the addresses in its example. */
export async function startExample(
  name: ProxyName,
  directory: string,
  { page, addresses }: { page: string; addresses: Readonly<Record<string, number>> },
): Promise<RunningProxy> {
  const port = await freePort();
  const file = join(directory, `${name}.conf`);
  const config = Object.entries(addresses).reduce(
    (text, [address, used]) => text.replaceAll(address, `127.0.0.1:${used}`),
    example(name, page),
  );
  const [program, args] = name === 'nginx' ? nginx(config, { file, directory, port }) : caddy(config, { file, port });
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, HOME: directory },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const exited = once(child, 'exit');
  for (let attempt = 1; !(await accepts(port)); attempt += 1) {
    if (attempt === START_ATTEMPTS || child.exitCode !== null) throw new Error(`${name} did not start: ${errors}`);
    await new Promise((resolve) => setTimeout(resolve, START_PAUSE_MS));
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Returns the only block of a language in a page. */
function example(name: ProxyName, file: string): string {
  const language = name === 'caddy' ? 'caddyfile' : 'nginx';
  const page = readFileSync(join(ROOT, file), 'utf8');
  const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page) ?? [];
  if (text === undefined) throw new Error(`${file} has no block of ${language}.`);
  return text;
}

function nginx(config: string, { file, directory, port }: { file: string; directory: string; port: number }) {
  const plain = config.replace('listen 443 ssl;', `listen 127.0.0.1:${port};`).replace(/^ *ssl_.*\n/gm, '');
  // Its worker has another user.
  chmodSync(directory, 0o755);
  mkdirSync(join(directory, 'temp'), { mode: 0o777 });
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(directory, 'temp', name)};`,
  );
  writeFileSync(
    file,
    `daemon off; pid ${directory}/nginx.pid; error_log stderr error;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${plain}}\n`,
  );
  return ['nginx', ['-c', file, '-p', directory]] as const;
}

function caddy(config: string, { file, port }: { file: string; port: number }) {
  const plain = config.replace('mail.example.com {', `http://mail.example.com:${port} {\n\tbind 127.0.0.1`);
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${plain}`);
  return ['caddy', ['run', '--config', file, '--adapter', 'caddyfile']] as const;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const accepted = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return accepted;
}
