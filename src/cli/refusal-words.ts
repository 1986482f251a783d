import type { ApiFailure } from '../client/failures.js';

/** Flags that are not named as the field that they make. */
const FLAGS: Record<string, string> = {
  from_date: 'since',
  to_date: 'until',
  scheduled_at: 'schedule',
  tags: 'tag',
  attachments: 'attach',
  template_id: 'template',
};

interface KnownFlag {
  aliases?: string[];
}

/** The refusal in the words of the command line: a field that a flag made is called by the flag, also in the message alone. */
export function inWordsOfFlags(
  failure: ApiFailure,
  argv: readonly string[],
  known: Record<string, KnownFlag>,
): ApiFailure {
  const message = (failure.details ?? []).reduce((text, { path }) => {
    const flag = givenFlag(path, argv, known);
    return flag === undefined ? text : text.replace(`${path}: `, `${flag}: `);
  }, failure.message);
  return failure.withMessage(message);
}

/** The flag as it was typed. */
function givenFlag(path: string, argv: readonly string[], known: Record<string, KnownFlag>): string | undefined {
  const [field = ''] = path.split('.');
  const name = FLAGS[field] ?? field.replaceAll('_', '-');
  const flag = known[name];
  if (!flag) return undefined;
  const words = argv.map((word) => word.replace(/=.*$/s, ''));
  return [name, ...(flag.aliases ?? [])].map((each) => `--${each}`).find((each) => words.includes(each));
}
