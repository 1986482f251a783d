import { UsageError } from '../errors/exit-codes.js';
import { readText } from '../flags/values/input.js';
import { canPrompt } from './confirm.js';
import { prompt } from './prompt.js';

/** Reads a secret from stdin if requested, otherwise from the environment, otherwise from a hidden prompt. */
export async function readSecret(
  name: string,
  source: { env: string | undefined; stdin: boolean; input: boolean },
): Promise<string> {
  if (source.stdin) return (await readText(name, '-')).trim();
  if (source.env) return source.env;
  if (canPrompt(process.env, source.input)) {
    const typed = await prompt(`${name}: `, { hidden: true });
    if (typed !== undefined) return typed;
    throw new UsageError(`${name} is required.`);
  }
  throw new UsageError(
    `${name} is required. Cannot prompt for it here.`,
    'Set SVC_API_KEY, or pass the key on stdin with --api-key-stdin.',
  );
}
