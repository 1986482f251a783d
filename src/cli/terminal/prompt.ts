import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InterruptedError, UsageError } from '../errors/exit-codes.js';
import { readText } from '../process/files.js';
import { canPrompt } from './capabilities.js';

/**
 * Prompts on stderr. Returns the line that is typed, or undefined when input ends without one, for example with ^D.
 * Hidden input is not echoed.
 * @inquirer/password and read are not used: with both, the process exits after ^D before an error can be reported.
 * @throws InterruptedError on ^C.
 */
export function prompt(question: string, { hidden = false } = {}): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Written only now, when the terminal no longer echoes input, and this process handles ^D.
  if (hidden) process.stderr.write(question);
  const close = (echoed: boolean) => {
    input.removeAllListeners('close');
    input.close();
    if (!echoed) process.stderr.write('\n');
  };
  return new Promise((resolve, reject) => {
    input.once('SIGINT', () => {
      close(false);
      reject(new InterruptedError());
    });
    input.once('close', () => {
      close(false);
      resolve(undefined);
    });
    input.question(hidden ? '' : question, (line) => {
      close(!hidden);
      resolve(line.trim());
    });
  });
}

interface SecretSource {
  /** The environment variable for scripts. */
  variable: string;
  /** The flag that selects stdin, if it was given. */
  flag: string | undefined;
  input: boolean;
  inform: (text: string) => void;
}

/**
 * Reads a secret from stdin if requested, otherwise from a hidden prompt, otherwise from the environment. Returns it
 * with its source. A terminal does not use the variable: it may be set for another server.
 */
export async function readSecret(
  name: string,
  { variable, flag, input, inform }: SecretSource,
): Promise<{ value: string; source: string }> {
  if (flag !== undefined) return { value: (await readText(name, '-')).trim(), source: flag };
  const env = process.env[variable];
  if (canPrompt(process.env, input)) {
    if (env) inform(`${variable} is set, but not used on a terminal. Use it with --no-input.`);
    const typed = await prompt(`${name}: `, { hidden: true });
    if (typed !== undefined) return { value: typed, source: `The ${name}` };
    throw new UsageError(`${name} is required.`);
  }
  if (env) return { value: env, source: variable };
  throw new UsageError(
    `${name} is required. Cannot prompt for it here.`,
    `Set ${variable}, or pass the key on stdin with --api-key-stdin.`,
  );
}
