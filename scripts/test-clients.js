import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Downloads what tests use to call svc by code of other projects: the generators of test/openapi with the libraries of
 * their clients, Spectral, the MCP client for Python of test/cli/mcp, Mailpit with its clients of test/mailpit, and the
 * compilers of templates. It stays in the user's cache for later clones. Go downloads its own modules.
 */

const MAVEN = 'https://repo1.maven.org/maven2';
const JARS = {
  'org/openapitools/openapi-generator-cli/7.17.0/openapi-generator-cli-7.17.0.jar':
    '25d6bd8273dd2be99979d544b62ea43f0ce1975f1aa582678b5093d1e7fcfce8',
  'com/google/code/findbugs/jsr305/3.0.2/jsr305-3.0.2.jar':
    '766ad2a0783f2687962c8ad74ceecc38a28b9f72a2d085ee438b7813e928d0c7',
  'com/google/code/gson/gson/2.10.1/gson-2.10.1.jar':
    '4241c14a7727c34feea6507ec801318a3d4a90f070e4525681079fb94ee4c593',
  'com/squareup/okhttp3/logging-interceptor/4.12.0/logging-interceptor-4.12.0.jar':
    'f3e8d5f0903c250c2b55d2f47fcfe008e80634385da8385161c7a63aaed0c74c',
  'com/squareup/okhttp3/okhttp/4.12.0/okhttp-4.12.0.jar':
    'b1050081b14bb7a3a7e55a4d3ef01b5dcfabc453b4573a4fc019767191d5f4e0',
  'com/squareup/okio/okio-jvm/3.6.0/okio-jvm-3.6.0.jar':
    '67543f0736fc422ae927ed0e504b98bc5e269fda0d3500579337cb713da28412',
  'io/gsonfire/gson-fire/1.9.0/gson-fire-1.9.0.jar': '73f56642ef43381efda085befb1e6cb51ce906af426d8db19632d396a5bb7a91',
  'jakarta/annotation/jakarta.annotation-api/1.3.5/jakarta.annotation-api-1.3.5.jar':
    '85fb03fc054cdf4efca8efd9b6712bbb418e1ab98241c4539c8585bbc23e1b8a',
  'jakarta/ws/rs/jakarta.ws.rs-api/2.1.6/jakarta.ws.rs-api-2.1.6.jar':
    '4cea299c846c8a6e6470cbfc2f7c391bc29b9caa2f9264ac1064ba91691f4adf',
  'org/apache/commons/commons-lang3/3.18.0/commons-lang3-3.18.0.jar':
    '4eeeae8d20c078abb64b015ec158add383ac581571cddc45c68f0c9ae0230720',
  'org/jetbrains/kotlin/kotlin-stdlib/1.9.10/kotlin-stdlib-1.9.10.jar':
    '55e989c512b80907799f854309f3bc7782c5b3d13932442d0379d5c472711504',
  'org/openapitools/jackson-databind-nullable/0.2.8/jackson-databind-nullable-0.2.8.jar':
    '0cef88241ce6775f5b24f1a2c993aceb6fed25e15ff285e686e7b6e1f530bec7',
};
const PYTHON = [
  'openapi-python-client==0.29.1',
  'pydantic==2.14.4',
  'python-dateutil==4.0.0',
  'typing-extensions==4.16.0',
  'urllib3==2.8.0',
];
/** Apart from the others, whose versions of shared packages differ. */
const MCP = ['mcp==2.3.0'];
const NPM = ['openapi-fetch@0.17.0', 'openapi-typescript@7.13.0', 'typescript@5.9.3', '@types/node@20.19.43'];

/** A second opinion on the OpenAPI documents. */
const SPECTRAL = ['@stoplight/spectral-cli@6.16.3'];

/** The real Mailpit, and npm packages of its users, which declare programs that they do not need here. */
const MAILPIT = { go: 'github.com/axllent/mailpit@v1.33.1', npm: ['mailpit-api@2.1.0', 'cypress-mailpit@2.0.0'] };

/** Compilers of templates, with esbuild's program. */
const COMPILERS = ['mjml@5.4.1', '@react-email/render@2.3.1', 'react@19.2.9', 'react-dom@19.2.9', 'esbuild@0.28.2'];

const version = createHash('sha256')
  .update(JSON.stringify([JARS, PYTHON, MCP, NPM, SPECTRAL, MAILPIT]))
  .digest('hex')
  .slice(0, 12);
const folder = join(homedir(), '.cache/svc-test-clients', version);
/** The kind with the versions of the compilers in its name: another version does not download the rest again. */
const compilers = `compilers-${createHash('sha256').update(JSON.stringify(COMPILERS)).digest('hex').slice(0, 12)}`;

/** Where the programs are. Each kind is complete if its folder `KIND-complete` exists. */
export const programs = {
  jars: join(folder, 'jars'),
  openApiGenerator: join(folder, 'jars/openapi-generator-cli-7.17.0.jar'),
  python: join(folder, 'python/bin'),
  mcp: join(folder, 'mcp/bin'),
  nodeModules: join(folder, 'npm/node_modules'),
  spectral: join(folder, 'spectral/node_modules/.bin/spectral'),
  mailpit: join(folder, 'mailpit/bin/mailpit'),
  mailpitModules: join(folder, 'mailpit/node_modules'),
  compilerModules: join(folder, compilers, 'node_modules'),
};

export function isComplete(kind) {
  return existsSync(join(folder, `${kind === 'compilers' ? compilers : kind}-complete`));
}

async function downloadJars() {
  for (const [path, sha256] of Object.entries(JARS)) {
    const response = await fetch(`${MAVEN}/${path}`);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    const content = Buffer.from(await response.arrayBuffer());
    const found = createHash('sha256').update(content).digest('hex');
    if (found !== sha256) throw new Error(`${path} has changed: its SHA-256 is ${found}.`);
    writeFileSync(join(folder, 'jars', path.slice(path.lastIndexOf('/') + 1)), content);
  }
}

function installPython(kind, packages) {
  execFileSync('python3', ['-m', 'venv', join(folder, kind)], { stdio: 'inherit' });
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  execFileSync(join(folder, kind, 'bin/python'), [...pip, ...packages], { stdio: 'inherit' });
}

function installNpm(kind, packages, ...more) {
  const options = ['--prefix', join(folder, kind), '--no-audit', '--no-fund', '--silent', ...more];
  execFileSync('npm', ['install', ...options, ...packages], { stdio: 'inherit' });
}

function installMailpit() {
  const env = { ...process.env, GOBIN: join(folder, 'mailpit/bin') };
  execFileSync('go', ['install', MAILPIT.go], { stdio: 'inherit', env });
  installNpm('mailpit', MAILPIT.npm, '--legacy-peer-deps', '--ignore-scripts');
}

if (process.argv[1] === import.meta.filename) {
  const steps = Object.entries({
    jars: downloadJars,
    python: () => installPython('python', PYTHON),
    mcp: () => installPython('mcp', MCP),
    npm: () => installNpm('npm', NPM),
    spectral: () => installNpm('spectral', SPECTRAL, '--ignore-scripts'),
    mailpit: installMailpit,
    [compilers]: () => installNpm(compilers, COMPILERS),
  });
  for (const [kind, install] of steps.filter(([kind]) => !isComplete(kind))) {
    rmSync(join(folder, kind), { recursive: true, force: true });
    mkdirSync(join(folder, kind), { recursive: true });
    try {
      await install();
      mkdirSync(join(folder, `${kind}-complete`));
    } catch (error) {
      console.error(`Cannot install the clients of kind ${kind}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
