import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../../scripts/test-clients.js';
import { ROOT } from '../support/cli/binary.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';

/** Generates, compiles and runs the clients that docs/clients.md shows. */

export const CLIENTS = join(ROOT, 'test/fixtures/clients');

type Command = [program: string, ...args: string[]];

export interface DocumentedClient {
  /** The program that uses the generated client. */
  file: string;
  /** Returns the commands that generate the client in the current directory and compile the program. */
  commands(document: string): Command[];
  run: Command;
  /** What it takes from scripts/test-clients.js. Go downloads its own modules. */
  kinds: ('jars' | 'python' | 'npm')[];
  /** What compiles or runs it: a command that succeeds where it can, its name, and how to install it. */
  needs: [command: Command, need: string, install: string];
}

/** Halves the time of programs that run for seconds. */
const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

const openApiGenerator = (document: string, ...args: string[]): Command => {
  const parts = ['apiTests', 'modelTests', 'apiDocs', 'modelDocs'].map((part) => `${part}=false`).join();
  const options = [...SHORT_RUN, '-jar', programs.openApiGenerator, 'generate', '--global-property', parts];
  return ['java', ...options, '-i', document, ...args];
};
const inPython = (program: string) => join(programs.python, program);
const JAVA_PACKAGES = ['invoker-package=example.svc', 'api-package=example.svc.api', 'model-package=example.svc.model'];
const JDK = 'apt-get install default-jdk-headless';
/** Go from 1.21 on reads the go.mod of the fixture. */
const GO: DocumentedClient['needs'] = [['go', 'list', '-m'], 'a recent go', 'https://go.dev/dl'];
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

export const documentedClients: readonly DocumentedClient[] = [
  {
    file: 'openapi_generator.py',
    commands: (document) => [openApiGenerator(document, '-g', 'python', '-o', '.', '--package-name', 'svc_client')],
    run: [inPython('python'), 'openapi_generator.py'],
    kinds: ['jars', 'python'],
    needs: [['java', '--version'], 'java', JDK],
  },
  {
    file: 'openapi-generator.go',
    commands: (document) => [
      openApiGenerator(document, '-g', 'go', '-o', 'svc', '--package-name', 'svc', '-p', 'withGoMod=false'),
      ['go', 'build', '-o', 'program', 'openapi-generator.go'],
    ],
    run: ['./program'],
    kinds: ['jars'],
    needs: GO,
  },
  {
    file: 'OpenApiGenerator.java',
    commands: (document) => [
      openApiGenerator(
        document,
        ...['-g', 'java', '--library', 'okhttp-gson', '-o', '.'],
        ...JAVA_PACKAGES.flatMap((option) => `--${option}`.split('=')),
      ),
      [
        'javac',
        ...SHORT_RUN.map((option) => `-J${option}`),
        ...['-nowarn', '-proc:none', '-d', 'classes', '-sourcepath', 'src/main/java'],
        ...['-cp', join(programs.jars, '*'), 'OpenApiGenerator.java'],
      ],
    ],
    run: ['java', '-cp', ['classes', join(programs.jars, '*')].join(delimiter), 'OpenApiGenerator'],
    kinds: ['jars'],
    needs: [['javac', '--version'], 'javac', JDK],
  },
  {
    file: 'oapi-codegen.go',
    commands: (document) => [
      [
        'go',
        'run',
        OAPI_CODEGEN,
        ...['-generate', 'types,client,skip-prune', '-package', 'svc', '-o', 'svc/svc.go', document],
      ],
      ['go', 'build', '-o', 'program', 'oapi-codegen.go'],
    ],
    run: ['./program'],
    kinds: [],
    needs: GO,
  },
  {
    file: 'openapi_python_client.py',
    commands: (document) => [
      [
        inPython('openapi-python-client'),
        'generate',
        ...['--path', document, '--output-path', 'svc_client', '--meta', 'none'],
      ],
    ],
    run: [inPython('python'), 'openapi_python_client.py'],
    kinds: ['python'],
    needs: [['python3', '--version'], 'python3', 'apt-get install python3-venv'],
  },
  {
    file: 'openapi-fetch.ts',
    commands: (document) => [
      [process.execPath, 'node_modules/openapi-typescript/bin/cli.js', document, '-o', 'svc.d.ts'],
      [
        process.execPath,
        'node_modules/typescript/bin/tsc',
        ...['--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
        ...['--types', 'node', 'openapi-fetch.ts'],
      ],
      ['mv', 'openapi-fetch.js', 'openapi-fetch.mjs'],
    ],
    run: [process.execPath, 'openapi-fetch.mjs'],
    kinds: ['npm'],
    needs: [['npm', '--version'], 'npm', 'apt-get install npm'],
  },
];

/** Returns why a client cannot be generated here, for the name of its test; nothing when it can. */
export function skipReason({ kinds, needs: [[program, ...args], need, install] }: DocumentedClient): string {
  const reason = skippedWithout(need, spawnSync(program, args, { cwd: CLIENTS }).status === 0, install);
  return reason || skippedWithout('an API client generator', kinds.every(isComplete), 'npm run test-clients');
}

/** Generates and compiles a client in an empty directory. */
export async function buildClient({ file, commands }: DocumentedClient, document: string, directory: string) {
  mkdirSync(join(directory, 'svc'), { recursive: true });
  for (const name of [file, ...readdirSync(CLIENTS).filter((each) => each.startsWith('go.'))]) {
    copyFileSync(join(CLIENTS, name), join(directory, name));
  }
  symlinkSync(programs.nodeModules, join(directory, 'node_modules'));
  for (const [program, ...args] of commands(document)) {
    await runTool(program, args, '', { cwd: directory });
  }
}

/** Runs a compiled client, and returns the lines that it prints. */
export async function runClient({ run: [program, ...args] }: DocumentedClient, directory: string, env: object) {
  const output = await runTool(program, args, '', {
    cwd: directory,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  return output.trimEnd().split('\n');
}
