import { canAsk } from './confirm.js';
import { UsageError } from './exit-codes.js';
import { readText } from './input.js';
import { ask } from './question.js';

/** A secret from stdin when asked for, else from the environment, else from a prompt that does not echo. */
export async function readSecret(
  name: string,
  source: { env: string | undefined; stdin: boolean; input: boolean },
): Promise<string> {
  if (source.stdin) return (await readText(name, '-')).trim();
  if (source.env) return source.env;
  if (canAsk(process.env, source.input)) {
    const typed = await ask(`${name}: `, { hidden: true });
    if (typed !== undefined) return typed;
    throw new UsageError(`${name} is required.`);
  }
  throw new UsageError(
    `${name} is required. Cannot prompt for it here.`,
    'Set SVC_API_KEY, or pass the key on stdin with --api-key-stdin.',
  );
}
