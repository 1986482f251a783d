import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/cli/binary.js';
import { importsOf, type Source } from './import-graph.js';
import { exceptions, layers } from './import-rules.js';
import { unusedExceptions, violations } from './violations.js';

/** Reads the project's own sources. */
function readSources(): Source[] {
  return ['src', 'commands', 'bin'].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|js)$/.test(name))
      .map((name) => `${directory}/${name.replaceAll('\\', '/')}`)
      .map((file) => ({ file, text: readFileSync(join(ROOT, file), 'utf8') })),
  );
}

describe('the architecture rules', () => {
  const sources = readSources();
  // Parsing all files takes the most time of these tests.
  const imports = importsOf(sources);

  it('hold in src, commands and bin', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(violations(sources, imports)).toEqual([]);
  });

  it('keep the API of Mailpit removable: only the server loads it, when it is on', () => {
    const room = 'src/http/mailpit/';
    const ofMailpit = imports.filter(
      ({ target, file, kind }) => target.startsWith(room) && !file.startsWith(room) && kind !== 'type',
    );
    expect(ofMailpit).toMatchObject([{ file: 'src/http/server.ts', kind: 'lazy' }]);
  });

  it('name the version of smtp-server whose private members are used', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const version = { ...dependencies, ...devDependencies }['smtp-server'];
    expect(sources.find(({ file }) => file === 'src/smtp/library.ts')?.text).toContain(` version ${version},`);
  });

  it('have no unused exception', () => {
    expect(unusedExceptions(sources, imports)).toEqual([]);
  });

  it('list every exception once', () => {
    const keys = exceptions.map(({ file, uses }) => `${file}: ${uses}`);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('have no layer without a file', () => {
    const files = [...sources.map(({ file }) => file), 'src/sql.d.ts'];
    expect(Object.keys(layers).filter((layer) => !files.some((file) => file.startsWith(layer)))).toEqual([]);
  });
});

describe('the checker', () => {
  const sourcesOf = (texts: Record<string, string>): Source[] =>
    Object.entries(texts).map(([file, text]) => ({ file, text }));
  const check = (texts: Record<string, string>) => violations(sourcesOf(texts));

  it.each([
    ['contract imports a package', 'src/contract/a.ts', "import x from 'fastify';", 'must not import fastify'],
    ['contract imports a built-in', 'src/contract/a.ts', "import 'node:fs';", 'must not import node:fs'],
    [
      'contract imports the core',
      'src/contract/a.ts',
      "import { b } from '../core/b.js';",
      'must not import src/core/b.js',
    ],
    ['core imports fastify', 'src/core/a.ts', "import Fastify from 'fastify';", 'must not import fastify'],
    [
      'core imports SQLite, as a type',
      'src/core/a.ts',
      "import type D from 'better-sqlite3';",
      'must not import better-sqlite3',
    ],
    ['core imports SMTP', 'src/core/a.ts', "import { SMTPServer } from 'smtp-server';", 'must not import smtp-server'],
    ['core imports oclif', 'src/core/a.ts', "import { Flags } from '@oclif/core';", 'must not import @oclif/core'],
    ['core requires fastify', 'src/core/a.ts', "const x = require('fastify');", 'must not import fastify'],
    ['core reads files', 'src/core/a.ts', "import { readFileSync } from 'node:fs';", 'must not import node:fs'],
    [
      'core imports an adapter',
      'src/core/a.ts',
      "import { x } from '../storage/sqlite/store.js';",
      'must not import src/storage/sqlite/store.js',
    ],
    [
      'core passes an adapter on',
      'src/core/a.ts',
      "export { x } from '../http/server.js';",
      'must not import src/http/server.js',
    ],
    [
      'an adapter imports another',
      'src/http/a.ts',
      "import { x } from '../storage/sqlite/store.js';",
      'must not import src/storage/sqlite/store.js',
    ],
    [
      'a mapping of rows imports a table',
      'src/storage/sqlite/rows/a.ts',
      "import type { x } from '../tables/mail/emails.js';",
      'must not import src/storage/sqlite/tables/mail/emails.js',
    ],
    [
      'an adapter loads another',
      'src/smtp/a.ts',
      "const x = await import('../mime/parse.js');",
      'must not import src/mime/parse.js',
    ],
    [
      'an adapter uses another’s package',
      'src/smtp/a.ts',
      "import D from 'better-sqlite3';",
      'better-sqlite3 belongs to src/storage/',
    ],
    [
      'SMTP imports an undocumented file of its library',
      'src/smtp/a.ts',
      "import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js';",
      'only src/smtp/library.ts may import smtp-server/lib/smtp-stream.js',
    ],
    [
      'a private member of smtp-server',
      'src/smtp/a.ts',
      'const f = (connection: Connection) => connection._socket;',
      '_socket: a private member, which src/smtp/library.ts alone uses',
    ],
    [
      'a private member of smtp-server, destructured',
      'src/smtp/a.ts',
      'const f = ({ _socket: socket }: Connection) => socket;',
      '_socket: a private member, which src/smtp/library.ts alone uses',
    ],
    [
      'an adapter imports app.ts',
      'src/http/a.ts',
      "import type { App } from '../app/create-app.js';",
      'must not import src/app/create-app.js',
    ],
    [
      'output imports what connects',
      'src/cli/output/a.ts',
      "import { target } from '../target/b.js';",
      'must not import src/cli/target/b.js, which is above it',
    ],
    [
      'what connects imports a feature, as a type',
      'src/cli/target/a.ts',
      "import type { B } from '../emails/b.js';",
      'must not import src/cli/emails/b.js, which is above it',
    ],
    [
      'the client imports the core',
      'src/client/a.ts',
      "import type { Core } from '../core/context.js';",
      'must not import src/core/context.js',
    ],
    ['the client imports a package', 'src/client/a.ts', "import { fetch } from 'undici';", 'must not import undici'],
    [
      'a command imports the core',
      'commands/a.ts',
      "import { x } from '../src/core/emails.js';",
      'must not import src/core/emails.js',
    ],
    [
      'a command names a type of the server',
      'commands/a.ts',
      "type X = import('../src/http/server.js').X;",
      'must not import src/http/server.js',
    ],
    ['a file outside of all layers', 'src/misc/a.ts', "import 'node:fs';", 'belongs to no layer'],
    ['the system', 'src/cli/a.ts', 'const f = () => process.platform;', 'process.platform belongs to src/system.ts'],
    ['an exit', 'src/cli/a.ts', 'process.exit(1);', 'process.exit belongs to bin/'],
    ['the time', 'src/core/a.ts', 'const f = () => Date.now();', 'Date.now belongs to src/clock'],
    ['the time, passed on', 'src/core/a.ts', 'const f = Date.now;', 'Date.now belongs to src/clock'],
    ['the date', 'commands/a.ts', 'const f = () => new Date();', 'new Date() belongs to src/clock'],
    ['a timer', 'src/http/a.ts', 'setTimeout(() => {}, 5);', 'setTimeout belongs to src/clock'],
    [
      'a timer from the global object',
      'src/http/a.ts',
      'globalThis.setInterval(() => {}, 5);',
      'setInterval belongs to src/clock',
    ],
    [
      'a timer under another name',
      'src/cli/a.ts',
      "import { setTimeout as wait } from 'node:timers/promises';",
      'setTimeout belongs to src/clock',
    ],
    ['chance', 'src/core/a.ts', 'const f = () => Math.random();', 'Math.random belongs to src/clock'],
    [
      'randomness from node:crypto',
      'src/core/a.ts',
      "import { randomBytes } from 'node:crypto';\nrandomBytes(3);",
      'randomBytes belongs to src/clock',
    ],
    ['randomness from the global crypto', 'src/core/a.ts', 'crypto.randomUUID();', 'randomUUID belongs to src/clock'],
    ['zod as a whole', 'src/contract/a.ts', "import { z } from 'zod';", 'zod must be imported as a namespace'],
    ['a module with state', 'src/core/a.ts', 'let count = 0;', 'module state'],
    ['a module with exported state', 'src/core/a.ts', 'export let count = 0;', 'module state'],
    ['a module with a collection as state', 'src/core/a.ts', 'const seen = new Map<string, number>();', 'module state'],
    [
      'an adapter constructed elsewhere',
      'src/cli/a.ts',
      'const clock = new ServiceClock();',
      'only src/app/ may construct an adapter',
    ],
    ['vocabulary imports zod', 'src/contract/vocabulary/a.ts', "import * as z from 'zod';", 'must not import zod'],
    [
      'vocabulary imports a schema, as a type',
      'src/contract/vocabulary/a.ts',
      "import type { Timestamp } from '../fields.js';",
      'must not import src/contract/fields.js',
    ],
    [
      'the service’s contract imports the control API’s',
      'src/contract/service/a.ts',
      "import { control } from '../control/endpoints.js';",
      'must not import src/contract/control/endpoints.js',
    ],
  ])('finds %s', (_, file, text, complaint) => {
    const found = check({ [file]: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^${file}:${text.split('\n').length}: `));
    expect(found[0]).toContain(complaint);
  });

  it('names the line', () => {
    expect(check({ 'src/core/a.ts': "\n// Why.\nimport {\n  x,\n} from 'node:fs';\n" })).toEqual([
      'src/core/a.ts:3: must not import node:fs',
    ]);
  });

  it('distinguishes a type-only import of app.ts, and a lazy one, from one that loads the server', () => {
    const app = { 'src/app/create-app.ts': 'export const x = 1; export type App = number;' };
    expect(check({ ...app, 'src/cli/a.ts': "import type { App } from '../app/create-app.js';" })).toEqual([]);
    expect(check({ ...app, 'src/cli/a.ts': "import { type App } from '../app/create-app.js';" })).toEqual([]);
    expect(check({ ...app, 'commands/a.ts': "const f = () => import('../src/app/create-app.js');" })).toEqual([]);
    expect(check({ ...app, 'src/cli/a.ts': "import { type App, x } from '../app/create-app.js';" })).toEqual([
      'src/cli/a.ts:1: may load src/app/create-app.ts by import() alone, when it is needed',
    ]);
  });

  it.each([
    ['a value', "import { a } from './a.js';"],
    ['a type', "import type { A } from './a.js';"],
    ['a lazy import', "const f = () => import('./a.js');"],
  ])('finds a circle of files that %s closes', (_, closing) => {
    const files = check({
      'src/core/a.ts': "import { b } from './b.js';",
      'src/core/b.ts': "import { c } from './c.js';",
      'src/core/c.ts': closing,
    });
    expect(files).toEqual(['src/core/a.ts, src/core/b.ts, src/core/c.ts: import each other']);
  });

  it('finds a circle of folders without one of files', () => {
    const folders = check({
      'src/core/jobs/a.ts': "import { b } from '../mail/b.js';",
      'src/core/mail/b.ts': '',
      'src/core/mail/c.ts': "import type { D } from '../jobs/d.js';",
      'src/core/jobs/d.ts': '',
    });
    expect(folders).toEqual(['src/core/jobs/, src/core/mail/: import each other']);
  });

  it('accepts what the rules allow', () => {
    expect(
      check({
        'src/core/a.ts': "import { createHash } from 'node:crypto';\nexport const at = (x: number) => new Date(x);",
        'src/contract/a.ts': "import * as z from 'zod';\nexport const names = new Set(['a']);",
        'src/clock/a.ts': 'export const now = () => Date.now();',
        'src/http/a.ts': "import type { Store } from '../core/store.js';\nclass A { setTimeout() {} }",
        'bin/run.js': "const { openBundle } = require('../dist/loader.js');\nprocess.exit(openBundle());",
      }),
    ).toEqual([]);
  });
});
