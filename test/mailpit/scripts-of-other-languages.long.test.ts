import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';
import { type Server, skipped, startMailpit, startSvc } from './servers.js';

/** Runs scripts that use Mailpit in the usual ways of their languages. They print the same with svc and with Mailpit. */

const SCRIPTS = join(ROOT, 'test/fixtures/mailpit');
let servers: Server[];
let built: string;
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'mailpit-scripts-'));
  servers = skipped ? [] : await Promise.all([startSvc(), startMailpit()]);
});
afterAll(async () => {
  rmSync(built, { recursive: true });
  await Promise.all(servers.map((each) => each.stop()));
});

const scripts: { language: string; build?: () => string[]; run: () => string[] }[] = [
  { language: 'python3', run: () => ['python3', join(SCRIPTS, 'check.py')] },
  {
    language: 'go',
    build: () => ['go', 'build', '-o', join(built, 'check'), join(SCRIPTS, 'check.go')],
    run: () => [join(built, 'check')],
  },
  {
    language: 'javac',
    build: () => ['javac', '-d', built, join(SCRIPTS, 'Check.java')],
    run: () => ['java', '-XX:TieredStopAtLevel=1', '-cp', built, 'Check'],
  },
  { language: 'php', run: () => ['php', join(SCRIPTS, 'check.php')] },
];

for (const { language, build, run } of scripts) {
  const without = skipped || skippedWithout(language);
  it.skipIf(without)(
    `answers a script in ${language} as Mailpit does${without}`,
    async () => {
      const execute = ([program = '', ...args]: string[], env?: Record<string, string>) =>
        runTool(program, args, '', env && { env: { ...(process.env as Record<string, string>), ...env } });
      if (build) await execute(build());
      const printed: string[] = [];
      for (const { url, smtpPort } of servers) {
        printed.push(await execute(run(), { MAILPIT_URL: url, MAILPIT_SMTP_PORT: String(smtpPort) }));
      }
      expect(printed[0]).toMatch(/^left 0$/m);
      expect(printed[0]).toBe(printed[1]);
      // Go compiles its standard library first.
    },
    240_000,
  );
}
