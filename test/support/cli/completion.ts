import { type RunOptions, svc } from './binary.js';

/** Number of requests to a server that does not answer within the half second that a shell waits. */
const ATTEMPTS = 5;

/**
 * Returns what a shell offers for the last of these words, requested as the scripts of `svc completion` do. Retries
 * while the shell offers fewer than `least` names.
 */
export async function offered(words: string[], { least = 0, ...options }: RunOptions & { least?: number } = {}) {
  let answer = await offer(words, options);
  for (let attempt = 1; answer.names.length < least && attempt < ATTEMPTS; attempt += 1) {
    answer = await offer(words, options);
  }
  return answer;
}

async function offer(words: string[], options: RunOptions) {
  const { code, stdout, stderr } = await svc(['completion-values', '--', ...words], options);
  const [, ...lines] = stdout.trimEnd().split('\n');
  const names = lines.map((line) => {
    const [name = '', about = ''] = line.split('\t');
    return { name, about };
  });
  return { code, stderr, names };
}
