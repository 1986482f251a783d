import { UsageError } from '../errors/exit-codes.js';
import { readText } from '../flags/values/input.js';
import { canPrompt } from './confirm.js';
import { prompt } from './prompt.js';

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
