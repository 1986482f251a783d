/** Defines the architecture rules: the direction of imports, and what only certain files may do. */

/** What a directory may import. */
export interface Layer {
  /** The project's directories and files that it may import. */
  own: string[];
  /** Packages and built-ins that it may import; `all` where wrapping them is the layer's purpose. */
  outside: string[] | 'all';
  /** What it may import as types only, because the compiler erases them. */
  types?: string[];
  /** What it may load by `import()` only, when it is needed. */
  lazy?: string[];
}

/** Built-ins that compute, without access to anything outside the process. */
const PURE = ['node:crypto', 'node:url'];

const adapter = (name: string, ...files: string[]): Layer => ({
  own: [name, 'src/core/', 'src/contract/', ...files],
  outside: 'all',
});

/** Modules that both APIs of the contract share. */
const sharedContract = [
  'src/contract/vocabulary/',
  'src/contract/address.ts',
  'src/contract/endpoint.ts',
  'src/contract/fields.ts',
  'src/contract/webhook-events.ts',
  'src/contract/webhook-signature.ts',
];

/** The first key that matches a file decides, so a folder or file within a layer comes before it. */
export const layers: Record<string, Layer> = {
  // Constants and parsers that commands and pages load quickly: no schema library, and nothing that imports one.
  'src/contract/vocabulary/': { own: ['src/contract/vocabulary/'], outside: [] },
  'src/contract/service/': { own: [...sharedContract, 'src/contract/service/'], outside: ['zod'] },
  'src/contract/control/': {
    own: [...sharedContract, 'src/contract/service/', 'src/contract/control/'],
    outside: ['zod'],
  },
  'src/contract/openapi/': {
    own: [...sharedContract, 'src/contract/service/', 'src/contract/control/', 'src/contract/openapi/'],
    outside: ['zod'],
  },
  'src/contract/': { own: sharedContract, outside: ['zod'] },
  // Regular expressions of users, in linear time.
  'src/core/search/': { own: ['src/core/', 'src/contract/'], outside: [...PURE, 're2js'] },
  'src/core/': { own: ['src/core/', 'src/contract/'], outside: PURE },
  // Reads the database without its server. It imports the storage adapter only, so that it loads quickly.
  'src/storage/resource-lists.ts': { own: ['src/storage/', 'src/core/', 'src/contract/'], outside: [] },
  // Checks the database without its server, also when no server can open it.
  'src/storage/repair.ts': { own: ['src/storage/'], outside: [] },
  // Used by commands that work without a server, so it must load as little as they do.
  'src/storage/server-lock.ts': { own: ['src/storage/', 'src/storage/data-dir-files.ts'], outside: ['node:path'] },
  'src/storage/data-dir-files.ts': { own: [], outside: [] },
  // Both engines use the tables, which know neither. Tables import the mappings of rows, never the reverse.
  'src/storage/common/rows/': {
    own: ['src/storage/common/rows/', 'src/storage/common/sql.ts', 'src/core/', 'src/contract/'],
    outside: ['node:zlib'],
  },
  'src/storage/common/': { own: ['src/storage/common/', 'src/core/', 'src/contract/'], outside: [] },
  'src/storage/sqlite/rows/': {
    own: [
      'src/storage/sqlite/rows/',
      'src/storage/sqlite/disk-errors.ts',
      'src/storage/sqlite/reset.ts',
      'src/storage/sqlite/reset.ts',
      'src/storage/common/listeners.ts',
      'src/storage/common/rows/',
      'src/storage/common/sql.ts',
      'src/core/',
      'src/contract/',
    ],
    outside: ['better-sqlite3'],
  },
  'src/storage/sqlite/': {
    own: [
      'src/storage/sqlite/',
      'src/package-directory.ts',
      'src/storage/common/',
      'src/storage/data-dir-files.ts',
      'src/storage/repair.ts',
      'src/storage/server-lock.ts',
      'src/file-modes.ts',
      'src/system.ts',
      'src/core/',
      'src/contract/',
    ],
    outside: 'all',
  },
  // Reads the files that a database URL names.
  'src/storage/postgres/connections/database-url.ts': { own: ['src/storage/postgres/'], outside: ['pg', 'node:fs'] },
  'src/storage/postgres/': {
    own: [
      'src/storage/postgres/',
      'src/storage/common/',
      // The format of archives is that of SQLite, on both engines.
      'src/storage/sqlite/files/archive-database.ts',
      'src/core/',
      'src/contract/',
    ],
    outside: ['pg', 'node:crypto'],
  },
  'src/storage/': adapter('src/storage/', 'src/file-modes.ts'),
  'src/clock/': adapter('src/clock/'),
  'src/http/': adapter('src/http/', 'src/package-directory.ts'),
  'src/smtp/': adapter('src/smtp/'),
  'src/mime/': adapter('src/mime/', 'src/html/', 'src/package-directory.ts', 'src/system.ts'),
  'src/archive/': adapter('src/archive/'),
  'src/dns/': adapter('src/dns/'),
  'src/relay/': adapter('src/relay/'),
  // Reads the HTML of emails, for the server, commands and the test kit.
  'src/html/': { own: ['src/html/', 'src/contract/vocabulary/'], outside: ['parse5'] },
  // Pictures of emails. Commands and the test kit load it when one is taken.
  'src/pictures/': {
    own: ['src/pictures/', 'src/html/', 'src/contract/vocabulary/', 'src/client/checks/', 'src/system.ts'],
    outside: ['node:crypto', 'node:fs', 'node:os', 'node:path', 'node:zlib', 'playwright-core', 'pixelmatch', 'pngjs'],
  },
  // Checks of an email's content. The test kit and commands share them.
  'src/client/checks/': {
    own: ['src/client/checks/', 'src/contract/', 'src/html/'],
    outside: ['diff', 're2js'],
  },
  // The transport of the command line and of the test kit. Its module "node:https" is loaded for remote services only.
  'src/client/http-fetch.ts': { own: ['src/client/'], outside: ['node:http', 'node:https', 'node:stream'] },
  'src/client/tolerant-reader.ts': { own: ['src/client/', 'src/contract/'], outside: ['zod'] },
  'src/client/differences.ts': { own: ['src/client/', 'src/contract/'], outside: ['zod'] },
  'src/client/': { own: ['src/client/', 'src/contract/', 'src/version.ts'], outside: ['eventsource-parser'] },
  'src/cli/': {
    own: [
      'src/cli/',
      'src/client/',
      'src/contract/',
      'src/html/',
      'src/storage/data-dir-files.ts',
      'src/package-directory.ts',
      'src/file-modes.ts',
      'src/system.ts',
      'src/version.ts',
      'package.json',
    ],
    outside: 'all',
    types: ['src/app/', 'src/pictures/', 'src/storage/resource-lists.ts', 'src/storage/repair.ts'],
    lazy: [
      'src/app/',
      'src/storage/resource-lists.ts',
      'src/storage/repair.ts',
      'src/storage/server-lock.ts',
      'src/pictures/',
      // `svc sendmail` is an SMTP client.
      'src/relay/smtp-client.ts',
      'src/mime/envelope.ts',
    ],
  },
  // The page of the web inbox: constants and types of the contract, never its schemas.
  'src/web/': {
    own: ['src/web/', 'src/client/', 'src/contract/vocabulary/', 'templates/'],
    outside: 'all',
    types: ['src/contract/'],
  },
  'commands/': {
    own: ['commands/', 'src/cli/', 'src/client/', 'src/contract/', 'src/version.ts', 'package.json'],
    outside: 'all',
    types: ['src/app/'],
    lazy: ['src/app/'],
  },
  // The test kit: applications import it. Its server is loaded when one is started.
  'src/testing/': {
    own: ['src/testing/', 'src/client/', 'src/contract/', 'src/html/', 'src/package-directory.ts'],
    outside: 'all',
    types: ['src/app/', 'src/pictures/'],
    lazy: ['src/app/', 'src/pictures/'],
  },
  'src/version.ts': { own: ['package.json'], outside: [] },
  // The modes of files that the command line and the storage create.
  'src/file-modes.ts': { own: [], outside: [] },
  // Finds files of the installation that two adapters use.
  'src/package-directory.ts': { own: [], outside: ['node:fs', 'node:path'] },
  'src/system.ts': { own: [], outside: ['node:fs', 'node:path'] },
  'src/sql.d.ts': { own: [], outside: [] },
  'bin/': { own: ['dist/loader.js'], outside: 'all' },
  'src/app/': { own: ['src/'], outside: 'all' },
};

/**
 * The floors of src/cli below its features, the lowest first: what serves every feature, and what connects. A floor
 * imports nothing above it, types included. All other folders are features.
 */
export const cliFloors: readonly (readonly string[])[] = [
  ['errors', 'manifest', 'output', 'process', 'terminal'],
  ['command', 'data-dir', 'flags', 'target'],
];

/** Packages that belong to one layer, even where `all` would allow them elsewhere. */
export const packageOwners: Record<string, string | readonly string[]> = {
  fastify: 'src/http/',
  'fastify-plugin': 'src/http/',
  'better-sqlite3': 'src/storage/sqlite/',
  pg: 'src/storage/postgres/',
  'smtp-server': 'src/smtp/',
  mailparser: 'src/mime/',
  // The API of Mailpit reads lists of addresses with it.
  nodemailer: ['src/mime/', 'src/relay/', 'src/http/mailpit/'],
  'tar-stream': 'src/archive/',
  'eventsource-parser': 'src/client/',
  ulid: 'src/clock/',
};

/** Files of a package that its documentation does not name. One file uses them, and gives their members plain names. */
export const internals: Record<string, string> = { 'smtp-server/lib/': 'src/smtp/library.ts' };

/** Members of classes that the documentation of a package does not name, by the folder that uses the package. */
export const privateMembers: Record<string, { names: RegExp; owner: string }> = {
  'src/smtp/': { names: /^(_|handler_)[A-Za-z]/, owner: 'src/smtp/library.ts' },
};

/** Classes and functions that create an adapter: called in src/app/ only; readers, by src/storage/resource-lists.ts. */
export const adapterMakers = [
  'openSqliteStore',
  'openSqliteReader',
  'openPostgresStore',
  'ServiceClock',
  'createIds',
  'createHttpServer',
  'createSmtpServer',
  'createPost',
];

/** Where time and randomness may be used: behind the clock's port, and in the browser, which has no service. */
export const timed = ['src/clock/', 'src/web/'];

/** The sources of time and randomness. */
export const impure = new Set([
  'Date.now',
  'setTimeout',
  'setInterval',
  'performance.now',
  'process.hrtime',
  'Math.random',
  'AbortSignal.timeout',
  'randomUUID',
  'randomBytes',
  'randomInt',
  'getRandomValues',
]);

export interface Exception {
  file: string;
  /** The name it uses, as in `impure`, or the module it imports. */
  uses: string;
  reason: string;
}

/** Accepted violations, each with its reason. */
export const exceptions: Exception[] = [
  {
    file: 'src/contract/recipient-pattern.ts',
    uses: 'node:url',
    reason: 'the server and the command line match recipients, and only Node.js has the Unicode form of a domain',
  },
  {
    file: 'src/contract/webhook-signature.ts',
    uses: 'node:crypto',
    reason: 'the server signs and the command line checks, so it is part of the contract; no browser imports it',
  },
  {
    file: 'src/storage/sqlite/transactions.ts',
    uses: 'setTimeout',
    reason: 'waits on the machine’s time for another process that has locked the database',
  },
  {
    file: 'src/storage/postgres/connections/transaction.ts',
    uses: 'setTimeout',
    reason: 'reports after some seconds of the machine’s time that another process has locked the database',
  },
  {
    file: 'src/storage/postgres/connections/outcome.ts',
    uses: 'setTimeout',
    reason: 'waits on the machine’s time for a restarted database',
  },
  {
    file: 'src/storage/postgres/connections/announcer.ts',
    uses: 'setInterval',
    reason: 'looks for commits of other processes, which the machine’s time alone bounds',
  },
  {
    file: 'src/storage/postgres/connections/announcer.ts',
    uses: 'setTimeout',
    reason: 'collects commits of other processes for some milliseconds of the machine’s time',
  },
  {
    file: 'src/cli/data-dir/data-dir.ts',
    uses: 'randomBytes',
    reason: 'makes the local server’s credentials, before there is a server that could lend its ids',
  },
  {
    file: 'src/cli/data-dir/mark.ts',
    uses: 'randomBytes',
    reason: 'makes the key that the user’s data directories are marked with; no server is involved',
  },
  {
    file: 'src/cli/server/tls/certificates.ts',
    uses: 'randomBytes',
    reason: 'makes serial numbers of certificates, before there is a server that could lend its ids',
  },
  {
    file: 'src/cli/process/files.ts',
    uses: 'randomBytes',
    reason: 'names a draft so that no one can put a link in its place; never recorded',
  },
  {
    file: 'src/cli/webhooks/trigger.ts',
    uses: 'randomBytes',
    reason: 'names what it makes on a server, which may be elsewhere, apart from what another command makes there',
  },
  {
    file: 'src/app/control.ts',
    uses: 'randomUUID',
    reason: 'tells one start of a server from another; never recorded',
  },
  {
    file: 'src/http/outbound/post.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket is on the machine’s time: the receiver does not live on the service’s',
  },
  {
    file: 'src/http/outbound/request-link.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket: the link leads to a server on the machine’s time',
  },
  {
    file: 'src/cli/output/local-time.ts',
    uses: 'Date.now',
    reason: 'when something came from a remote service: no local server is there whose clock would count',
  },
  {
    file: 'src/cli/target/running-server.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket: asks another server whether it is alive',
  },
  {
    file: 'src/client/time-limit.ts',
    uses: 'AbortSignal.timeout',
    reason: 'a time-out on an outbound socket: how long a command or a test waits for a server',
  },
  {
    file: 'src/cli/target/proxy.ts',
    uses: 'undici',
    reason: 'Node 20’s own fetch knows no proxy; loaded when the environment names one',
  },
  {
    file: 'src/pictures/pictures.ts',
    uses: 'setTimeout',
    reason: 'a browser may hang, and runs on the machine’s time',
  },
  {
    file: 'src/cli/process/write-stdout.ts',
    uses: 'setTimeout',
    reason: 'waits for another process, in a command without a server',
  },
  {
    file: 'src/cli/server/stop.ts',
    uses: 'AbortSignal.timeout',
    reason: 'waits for another process to end, in a command without a server',
  },
  {
    file: 'src/testing/server/network.ts',
    uses: 'setTimeout',
    reason: 'waits on the machine’s time for another server, in the test kit’s thread',
  },
  {
    file: 'src/testing/server/run-server.ts',
    uses: 'randomBytes',
    reason: 'makes the credentials of a server for tests, before there is a server that could lend its ids',
  },
  {
    file: 'src/testing/mail/pictures.ts',
    uses: 'setTimeout',
    reason: 'ends an idle browser, which runs on the machine’s time',
  },
  {
    file: 'src/testing/vitest.ts',
    uses: 'AbortSignal.timeout',
    reason: 'names the server as the reason when its start takes too long, on the machine’s time',
  },
  {
    file: 'src/testing/mail/criteria.ts',
    uses: 'randomBytes',
    reason: 'makes addresses that no other process makes, which may use the same server',
  },
];

export function isException(file: string, uses: string): boolean {
  return exceptions.some((exception) => exception.file === file && exception.uses === uses);
}
