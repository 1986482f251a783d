import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { canAsk } from './confirm.js';
import { exitCodes, UsageError } from './exit-codes.js';
import { readText } from './input.js';

/** A secret from stdin when asked for, else from the environment, else from a prompt that does not echo. */
export async function readSecret(
  name: string,
  source: { env: string | undefined; stdin: boolean; input: boolean },
): Promise<string> {
  if (source.stdin) return (await readText(name, '-')).trim();
  if (source.env) return source.env;
  if (canAsk(process.env, source.input)) return prompt(`${name}: `);
  throw new UsageError(
    `No ${name}, and nobody can be asked.`,
    'Set SVC_API_KEY, or pipe the key in with --api-key-stdin.',
  );
}

function prompt(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  process.stderr.write(question);
  const input = createInterface({ input: process.stdin, output: silent, terminal: true });
  return new Promise((resolve, reject) => {
    input.once('SIGINT', () => {
      input.close();
      process.stderr.write('\n');
      reject(Object.assign(new Error('Interrupted.'), { oclif: { exit: exitCodes.interrupted } }));
    });
    input.once('line', (line) => {
      input.close();
      process.stderr.write('\n');
      resolve(line.trim());
    });
  });
}
