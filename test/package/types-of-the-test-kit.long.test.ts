import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, temporaryDirectory } from '../support/cli/binary.js';

/** Compiles applications that use the entry points, as an installed package offers them, with its declarations checked. */

const KIT = `
import { createClient } from 'svc-cli/client';
import { startServer, type ReceivedEmail, WaitError } from 'svc-cli/testing';

export async function use(): Promise<void> {
  const svc = await startServer({ domains: ['shop.test'], strict: true });
  const email: ReceivedEmail = await svc.inbox().waitFor({ subject: /reset/i, timeout: '2s' });
  const href: string = email.link(/reset/);
  const bytes: Uint8Array = (await email.attachment('invoice.pdf')).content;
  const reason: string = (await svc.webhooks.waitFor('email.bounced', { email })).event.data.reason;
  const { emails } = await svc.client.call('emails.list', { query: { limit: 5 } });
  const status: 'scheduled' | 'sent' | 'delivered' | 'bounced' | 'complained' | 'cancelled' = emails[0]!.status;
  const client = createClient({ baseUrl: svc.baseUrl, apiKey: svc.apiKey });
  await client.control('clock.advance', { body: { by: '2h' } });
  // @ts-expect-error the call needs a body
  await client.call('emails.send');
  // @ts-expect-error no endpoint has this name
  await client.call('emails.sendd', {});
  // @ts-expect-error no criterion has this name
  await svc.emails.waitFor({ subjekt: 'x' });
  // @ts-expect-error a link is a text
  const wrong: number = email.link();
  await svc[Symbol.asyncDispose]();
  void [href, bytes, reason, status, wrong, WaitError];
}
`;
const VITEST = `
import { expect, test } from 'svc-cli/testing/vitest';

test('is typed', async ({ svc, inbox }) => {
  await expect(inbox).toHaveReceivedEmail({ subject: /x/ });
  const email = await svc.emails.waitFor();
  expect(email).toHaveLink({ kind: 'reset' });
  expect(email).not.toHaveCode('123');
  await expect(email).toBeDelivered({ timeout: 100 });
  expect(email).toMatchEmailSnapshot();
  await expect(email).toMatchEmailScreenshot('order', { dark: true, mask: ['.date'] });
  // @ts-expect-error the matcher has no such option
  await expect(email).toMatchEmailScreenshot('order', { update: true });
});
`;
const PLAYWRIGHT = VITEST.replace('/vitest', '/playwright')
  .replace('{ svc, inbox }', '{ page, svc, inbox }')
  .concat(`
test('keeps the matchers of Playwright', async ({ page }) => {
  await expect(page).toHaveTitle('x');
});
`);
const JEST = `
import { expect } from 'expect';
import { startServer } from 'svc-cli/testing';
import 'svc-cli/testing/jest';

export const use = async () => {
  const email = await (await startServer()).emails.waitFor();
  expect(email).toHaveLink('x');
  await expect(email).toBeDelivered();
  await expect(email).toMatchEmailScreenshot('order');
};
`;

const FILES = { 'kit.ts': KIT, 'kit.cts': KIT, 'vitest.ts': VITEST, 'playwright.ts': PLAYWRIGHT, 'jest.ts': JEST };
const DECLARATIONS = join(ROOT, 'dist/testing/types/');

/** Time that a compilation takes on a busy machine. */
const COMPILING_MS = 300_000;

describe('the types of the test kit', () => {
  const folder = temporaryDirectory();

  beforeAll(() => {
    const modules = join(folder.path, 'node_modules');
    mkdirSync(join(modules, 'svc-cli'), { recursive: true });
    for (const name of ['dist', 'package.json']) symlinkSync(join(ROOT, name), join(modules, 'svc-cli', name));
    for (const name of ['vitest', '@playwright', 'expect', '@types']) {
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder.path, name), text);
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  });
  afterAll(() => folder.remove());

  it.each([
    ['Node.js and its test runners', ts.ModuleKind.NodeNext, ts.ModuleResolutionKind.NodeNext, Object.keys(FILES)],
    ['bundlers', ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler, ['kit.ts', 'vitest.ts']],
  ])(
    'compile for %s',
    (_, module, moduleResolution, files) => {
      const target = { target: ts.ScriptTarget.ES2022, lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'], types: ['node'] };
      const options = {
        ...target,
        module,
        moduleResolution,
        noEmit: true,
        strict: true,
        typeRoots: [join(ROOT, 'node_modules/@types')],
      };
      const program = ts.createProgram({ rootNames: files.map((name) => join(folder.path, name)), options });
      const isOwn = ({ fileName }: ts.SourceFile) =>
        [folder.path, DECLARATIONS].some((path) => fileName.startsWith(path));
      const own = program.getSourceFiles().filter(isOwn);
      expect(own.length).toBeGreaterThan(2 * files.length);
      // To check the declarations of others too would take five times as long.
      const found = [
        ...program.getOptionsDiagnostics(),
        ...program.getGlobalDiagnostics(),
        ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
      ];
      expect(found.map(({ file, messageText }) => [file?.fileName, messageText])).toEqual([]);
    },
    COMPILING_MS,
  );
});
