import type { ApiFailure, RejectedField } from '../../client/failures.js';

/** Flags that are not named as the field that they make. */
const FIELD_FLAGS: Record<string, string[]> = {
  from_date: ['since'],
  to_date: ['until'],
  scheduled_at: ['schedule'],
  tags: ['tag'],
  attachments: ['attach'],
  template_id: ['template'],
  ip_address: ['ip'],
  max_bytes: ['max-size'],
  html: ['html', 'html-file'],
  text: ['text', 'text-file'],
};

/** What no message speaks of but as a field. */
const FIELD_NAMES = /(?<![\w.-])(?:from_date|to_date|max_bytes)\b/g;

interface KnownFlag {
  aliases?: string[];
}

type KnownFlags = Record<string, KnownFlag>;

/** The flags, without dashes, that can make a field of a request. */
export function flagsOf(field: string): string[] {
  return FIELD_FLAGS[field] ?? [field.replaceAll('_', '-')];
}

/** The refusal in the words of the command line: a field that a flag made is called by the flag, also in the message alone. */
export function withFlagNames(failure: ApiFailure, argv: readonly string[], known: KnownFlags): ApiFailure {
  const details = failure.details?.map((detail): RejectedField => {
    const flag = typedFlag(detail.path, argv, known);
    return flag === undefined ? detail : { ...detail, flag };
  });
  const [first] = details ?? [];
  const { message } = failure;
  const named =
    first?.flag !== undefined && /^[: ]/.test(message.slice(first.path.length)) && message.startsWith(first.path)
      ? first.flag + message.slice(first.path.length)
      : message;
  const renamed = failure.withMessage(withFlags(named, known), details);
  return failure.hint === undefined ? renamed : renamed.withHint(withFlags(failure.hint, known));
}

function withFlags(text: string, known: KnownFlags): string {
  return text.replace(FIELD_NAMES, (field) => {
    const flag = flagsOf(field).find((name) => known[name]);
    return flag === undefined ? field : `--${flag}`;
  });
}

/** The flag as it was typed, and which of its values when it has several. */
function typedFlag(path: string, argv: readonly string[], known: KnownFlags): string | undefined {
  const [field = '', index = ''] = path.split('.');
  const words = argv.map((word) => word.replace(/=.*$/s, ''));
  const typed = flagsOf(field)
    .filter((name) => known[name])
    .flatMap((name) => [name, ...(known[name]?.aliases ?? [])].map((each) => `--${each}`))
    .find((each) => words.includes(each));
  const several = words.filter((word) => word === typed).length > 1;
  return typed !== undefined && several && /^\d+$/.test(index) ? `${typed}, value ${Number(index) + 1}` : typed;
}
