import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Finished, type Ready, start, svc, svcInTurn, text } from '../support/cli/binary.js';
import { deliver } from '../support/mail/smtp-session.js';
import type { Answered, RecordedRoute } from '../support/servers/recording-proxy.js';
import { Resources } from './resources.js';
import type { SharedFixture } from './shared-fixture.js';

/** Provides what one run uses: an empty directory, no profiles, no data, and one server. */
export class Fixture extends Resources {
  readonly proxyRoute: RecordedRoute;
  /** The data directory that the environment names. */
  dataDir: string;

  constructor(
    readonly shared: SharedFixture,
    readonly server: Ready,
    options: { hostile?: boolean } = {},
  ) {
    const folder = mkdtempSync(join(shared.folder.path, 'run-'));
    super(folder, folder.slice(-6).replace(/[^a-z0-9]/gi, '0'));
    this.dataDir = join(this.folder, 'data');
    this.proxyRoute = shared.proxy.open(server, options);
  }

  get answered(): Answered[] {
    return this.proxyRoute.answered;
  }

  get env(): Record<string, string> {
    return { SVC_DATA_DIR: this.dataDir, SVC_CONFIG_DIR: join(this.folder, 'config') };
  }

  /** Returns the environment that names the server. */
  get remoteEnv(): Record<string, string> {
    return { ...this.env, SVC_BASE_URL: this.proxyRoute.baseUrl, SVC_API_KEY: this.server.api_key };
  }

  run(args: string[], env: Record<string, string>, input?: string): Promise<Finished> {
    return svc(args, { binary: this.shared.binary, cwd: this.folder, env, input: input ?? 'open' });
  }

  /** Runs the built command line in this process. */
  runInTurn(args: string[], env: Record<string, string>, input?: string): Promise<Finished> {
    return svcInTurn(args, { cwd: this.folder, env, input: input ?? 'open' });
  }

  /** Runs with a stdout whose reader has closed the pipe. */
  async runUnread(args: string[], env: Record<string, string>, input = ''): Promise<{ code: number; stderr: string }> {
    const child = start(args, { binary: this.shared.binary, cwd: this.folder, env });
    child.stdout?.destroy();
    child.stdin?.end(input);
    const stderr = text(child.stderr);
    const [code] = await once(child, 'exit');
    return { code, stderr: await stderr };
  }

  /** Delivers an email with control characters to the server that the run itself has started. */
  async deliverToLocalServer(): Promise<void> {
    const { smtp } = JSON.parse(readFileSync(join(this.dataDir, 'server.json'), 'utf8'));
    await deliver(smtp, `Subject: =?utf-8?q?Hi=1B[2J=07?=\r\n\r\nHi\r\n`);
  }

  writeProfile(name: string, base_url: string, api_key: string, current = name): void {
    this.write('config/profiles.json', JSON.stringify({ current, profiles: { [name]: { base_url, api_key } } }));
  }

  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers
  override async post(path: string, body: object): Promise<any> {
    const response = await fetch(new URL(path, this.server.base_url), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.server.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { success, data, error } = (await response.json()) as { success: boolean; data: unknown; error: unknown };
    if (!success) throw new Error(`${path} was refused: ${JSON.stringify(error)}`);
    return data;
  }

  /** Writes the server's whole state to a file. */
  async archive(): Promise<string> {
    const headers = { authorization: `Bearer ${this.server.api_key}` };
    const response = await fetch(new URL('/_svc/export', this.server.base_url), { headers });
    if (!response.ok) throw new Error(`there is no export: ${response.status}`);
    const file = join(this.folder, 'state.tar.gz');
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return file;
  }

  /** Delivers an email over SMTP. */
  async smtpEmail(): Promise<void> {
    await deliver(this.server.smtp, 'Subject: Hi\r\n\r\nHi\r\n');
  }
}
