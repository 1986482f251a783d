import { type RunOptions, svc } from './binary.js';

/** What a shell is offered for the last of these words, as the scripts of `svc completion` ask for it. */
export async function offered(words: string[], options: RunOptions = {}) {
  const { code, stdout, stderr } = await svc(['completion-values', '--', ...words], options);
  const [, ...lines] = stdout.trimEnd().split('\n');
  const names = lines.map((line) => {
    const [name = '', about = ''] = line.split('\t');
    return { name, about };
  });
  return { code, stderr, names };
}
