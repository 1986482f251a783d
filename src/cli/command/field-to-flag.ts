import type { ApiFailure, RejectedField } from '../../client/failures.js';
import { flagsFilling } from '../flags/request-field.js';

interface KnownFlag {
  aliases?: string[];
  field?: string;
}

type KnownFlags = Record<string, KnownFlag>;

/** Returns the failure with the names of request fields replaced by the flags that fill them. */
export function withFlagNames(failure: ApiFailure, argv: readonly string[], known: KnownFlags): ApiFailure {
  const details = failure.details?.map((detail): RejectedField => {
    const flag = typedFlag(detail.path, argv, known);
    return flag === undefined ? detail : { ...detail, flag };
  });
  const [first] = details ?? [];
  const { message } = failure;
  const named =
    first?.flag !== undefined && /^[: ]/.test(message.slice(first.path.length)) && message.startsWith(first.path)
      ? first.flag + message.slice(first.path.length).replace(/^: (?=must |is |cannot )/, ' ')
      : message;
  const renamed = failure.withMessage(withFlags(named, known), details);
  return failure.hint === undefined ? renamed : renamed.withHint(withFlags(failure.hint, known));
}

/** Words with an underscore outside of quoted values are always names of fields. */
const FIELD_NAME = /(?<![\w.-])[a-z]+(?:_[a-z]+)+(?![\w@-])/g;

function withFlags(text: string, known: KnownFlags): string {
  // A user who passes whole request bodies uses the names of the fields.
  if (known.data) return text;
  const rename = (words: string) =>
    words.replace(FIELD_NAME, (name) => {
      const [flag] = flagsFilling(known, name);
      return flag === undefined ? name : `--${flag}`;
    });
  // The server puts values in quotation marks, and a value can contain more of them.
  const first = text.indexOf('"');
  if (first === -1) return rename(text);
  const end = text.lastIndexOf('"') + 1;
  return rename(text.slice(0, first)) + text.slice(first, end) + rename(text.slice(end));
}

/** Returns the flag as it was typed, and the number of its value if it has several. */
function typedFlag(path: string, argv: readonly string[], known: KnownFlags): string | undefined {
  const [field = '', index = ''] = path.split('.');
  const words = argv.map((word) => word.replace(/=.*$/s, ''));
  const typed = flagsFilling(known, field)
    .flatMap((name) => [name, ...(known[name]?.aliases ?? [])].map((each) => `--${each}`))
    .find((each) => words.includes(each));
  const several = words.filter((word) => word === typed).length > 1;
  return typed !== undefined && several && /^\d+$/.test(index) ? `${typed}, value ${Number(index) + 1}` : typed;
}
