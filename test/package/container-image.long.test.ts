import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ready, ROOT, temporaryDirectory } from '../support/cli/binary.js';
import { elsewhere, packPrebuilt } from '../support/cli/package.js';
import { openTerminal } from '../support/cli/terminal/terminal.js';
import { runTool } from '../support/cli/tools.js';
import { holdPort } from '../support/servers/ports.js';

/** Carries out the Dockerfile without a container engine, and runs what it built with the settings of compose.yaml. */

/** Two installations of packages, on a busy machine. */
const INSTALLING_MS = 600_000;

describe('the container image', () => {
  const folder = temporaryDirectory();
  let image: { root: string; env: Record<string, string>; healthcheck: string[]; entrypoint: string[] };
  let env: Record<string, string>;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    const into = join(folder.path, 'image');
    mkdirSync(into);
    const prebuilds = await packPrebuilt(folder.path);
    const settings = { npm_config_better_sqlite3_local_prebuilds: prebuilds, npm_config_prefer_offline: 'true' };
    await runTool(process.execPath, [join(ROOT, 'scripts/container-steps.js'), into], '', {
      env: { ...elsewhere(), ...settings },
    });
    image = JSON.parse(readFileSync(join(into, 'image.json'), 'utf8'));
    const data = join(image.root, image.env.SVC_DATA_DIR!);
    const { PATH } = process.env;
    // As in a container, nothing else of this machine's environment: with CI, svc would show no dashboard.
    env = {
      ...image.env,
      SVC_DATA_DIR: data,
      HOME: folder.path,
      PATH: `${join(image.root, 'usr/local/bin')}:${PATH}`,
    };
  }, INSTALLING_MS);

  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
    folder.remove();
  });

  it('runs svc with the settings of compose.yaml, and the example receives signed webhooks', async () => {
    const [server, application] = commandsOf(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'));
    expect(server?.slice(0, 3)).toEqual(['dev', '--host', '0.0.0.0']);
    expect(await health()).not.toBe(0);

    // Names of services exist in a network of containers only; 0.0.0.0 counts as a private address too.
    const more = ['--http-port', '0', '--smtp-port', '0', '--allow-webhook-host', '0.0.0.0', '--json'];
    const svc = start(image.entrypoint[0]!, [...image.entrypoint.slice(1), ...server!, ...more], env);
    const ready = JSON.parse((await svc.lines.next()).value) as Ready;
    expect(ready).toMatchObject({ api_key: 'svc_test_compose', data_dir: env.SVC_DATA_DIR });
    expect(await health()).toBe(0);

    const { port } = new URL(ready.base_url);
    const app = start(application![0]!, [join(ROOT, 'examples/containers/app.js')], {
      ...elsewhere(),
      APP_URL: `http://0.0.0.0:${await freePort()}`,
      SVC_BASE_URL: `http://127.0.0.1:${port}/v1`,
      SVC_API_KEY: ready.api_key,
      SVC_WEBHOOK_SECRET: 'whsec_compose',
    });
    const seen: string[] = [];
    while (seen.length < 3) seen.push((await app.lines.next()).value);
    expect(seen.toSorted()).toEqual([
      'app: received email.delivered for ada@example.test',
      'app: received email.sent for ada@example.test',
      expect.stringMatching(/^app: sent msg_/),
    ]);

    svc.child.kill('SIGTERM');
    expect(await svc.exited).toEqual([0, null]);
  });

  it('shows the dashboard on a terminal', async () => {
    const args = ['dev', '--in-memory', '--http-port', '0', '--smtp-port', '0'];
    const terminal = await openTerminal([image.entrypoint[0]!, ...image.entrypoint.slice(1), ...args], { env });
    try {
      await terminal.until(/No emails yet/);
    } finally {
      await terminal.close();
    }
  });

  function start(command: string, args: string[], environment: Record<string, string>) {
    const child = spawn(command, args, { env: environment, cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { child, lines, exited: once(child, 'exit') };
  }

  async function health(): Promise<number | null> {
    const [command = '', ...args] = image.healthcheck;
    const [code] = await once(spawn(command, args, { env, stdio: 'ignore' }), 'exit');
    return code;
  }
});

async function freePort(): Promise<number> {
  const server = await holdPort(0);
  const { port } = server!.address() as AddressInfo;
  server!.close();
  return port;
}

/** Returns the commands of the services, in their order. */
function commandsOf(compose: string): string[][] {
  return Array.from(compose.matchAll(/command:\s*(\[[^\]]*\])/g), ([, list = '']) => JSON.parse(list));
}
