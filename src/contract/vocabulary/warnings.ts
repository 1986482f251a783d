import { type Failure, failures } from './errors.js';

/**
 * Defines the warnings that the local server announces: it accepts a request that the service may refuse, or it
 * ignores a part of one. Gap 40.
 */

/**
 * A warning concerns a request that the service may refuse. A note concerns the set-up of an account, or a message that
 * this server treats in its own way. An info concerns what is odd or was repaired, but no service is known to refuse.
 * The command line prints warnings only.
 */
export const warningLevels = ['info', 'note', 'warning'] as const;
export type WarningLevel = (typeof warningLevels)[number];

interface WarningForm {
  level: WarningLevel;
  /** The warning in general, for a report of several. */
  text: string;
  /** The next step for the author of the request. */
  advice: string;
  /** How `--strict` refuses the request; null if it does not. */
  strict: Failure | null;
}

export const warningForms = {
  unknown_field: {
    level: 'warning',
    text: 'The body has a field that the API does not define',
    advice: 'Correct the name of the field, or remove it.',
    strict: 'invalid',
  },
  unknown_parameter: {
    level: 'warning',
    text: 'The query has a parameter that the API does not define',
    advice: 'Correct the name of the parameter, or remove it.',
    strict: 'bad_request',
  },
  unused_variables: {
    level: 'warning',
    text: 'Variables are given without a template',
    advice: 'Add template_id, or remove variables. Only templates have placeholders.',
    strict: 'invalid',
  },
  leftover_placeholder: {
    level: 'warning',
    text: 'The content contains a placeholder that is not replaced',
    advice: 'Use a template with {{name}} placeholders, or fill in the content before you send it.',
    strict: 'invalid',
  },
  missing_rate_limit: {
    level: 'warning',
    text: 'An API key is created without rate_limit',
    advice: 'Set rate_limit, in requests per minute.',
    strict: 'invalid',
  },
  many_recipients: {
    level: 'warning',
    text: 'An email has many recipients',
    advice: 'Send several emails with fewer recipients each. Providers commonly refuse more than 50.',
    strict: 'invalid',
  },
  large_attachments: {
    level: 'warning',
    text: 'An email has large attachments',
    advice: 'Link to the files instead. Providers commonly refuse more than 10 MiB.',
    strict: 'invalid',
  },
  large_html: {
    level: 'warning',
    text: 'An email has large HTML',
    advice: 'Shorten the HTML, and link to images instead of embedding them.',
    strict: 'invalid',
  },
  far_schedule: {
    level: 'warning',
    text: 'An email is scheduled far ahead',
    advice: 'Schedule it at most 30 days ahead. Providers commonly refuse more.',
    strict: 'invalid',
  },
  status_filter: {
    level: 'warning',
    text: 'A list is filtered by a status that the API does not list',
    advice: 'Filter by sent, delivered, bounced or complained.',
    strict: 'bad_request',
  },
  webhook_host: {
    level: 'warning',
    text: 'A webhook uses plain http, or a host without a public name',
    advice: 'Use https and a public host name with the real service.',
    strict: 'invalid',
  },
  single_label_domain: {
    level: 'warning',
    text: 'An address has a domain without a dot',
    advice: 'Use a full domain, such as example.com.',
    strict: 'invalid',
  },
  unusual_domain: {
    level: 'warning',
    text: 'An address has a domain that is not a host name',
    advice: 'Use a full domain, such as example.com. Services commonly refuse address literals and underscores.',
    strict: 'invalid',
  },
  unknown_smtp_parameter: {
    level: 'warning',
    text: 'MAIL or RCPT has a parameter that the server does not offer',
    advice: 'Send only parameters of extensions that the reply to EHLO names.',
    strict: 'invalid',
  },
  missing_smtputf8: {
    level: 'warning',
    text: 'MAIL or RCPT has characters beyond ASCII without SMTPUTF8',
    advice: 'Add the parameter SMTPUTF8 to MAIL, as RFC 6531 asks.',
    strict: 'invalid',
  },
  unverified_domain: {
    level: 'note',
    text: 'The sending domain is not verified',
    advice:
      'Add and verify the domain in your account. On the local server, "svc dev --domain NAME" does both. ' +
      'Each domain is announced once.',
    strict: 'domain_not_verified',
  },
  simulator_recipient: {
    level: 'warning',
    text: 'A simulator.test recipient does not name an outcome',
    advice: 'Correct the name before the @.',
    strict: 'invalid',
  },
  invalid_header: {
    level: 'warning',
    text: 'A header X-Service-… of a message has a value that cannot be used',
    advice: 'Correct the value. Over REST, the same value is refused.',
    strict: 'invalid',
  },
  ignored_outcome: {
    level: 'warning',
    text: 'The header X-Service-Simulate of a message does not name an outcome',
    advice: 'Correct the value of the header.',
    strict: 'invalid',
  },
  unknown_header: {
    level: 'warning',
    text: 'A message has a header X-Service-… that the service does not define',
    advice: 'Correct the name of the header, or remove it.',
    strict: 'invalid',
  },
  unused_template: {
    level: 'warning',
    text: 'A message with a body names a template',
    advice: 'Remove the body, or the header X-Service-Template.',
    strict: 'invalid',
  },
  message_rate: {
    level: 'warning',
    text: 'More messages come over SMTP in a minute than the plan or the API key allows',
    advice: 'Send more slowly. The flag --plan of the server selects another plan.',
    strict: 'rate_limited',
  },
  monthly_quota: {
    level: 'warning',
    text: 'A message over SMTP exceeds the monthly quota of the plan',
    advice: 'Over REST, the same email is refused with 429. The flag --plan of the server selects another plan.',
    strict: 'rate_limited',
  },
  content_cut: {
    level: 'note',
    text: 'A part of a message exceeds a limit of the local server',
    advice: 'Send a smaller message.',
    strict: null,
  },
  links_not_found: {
    level: 'note',
    text: 'Links of a message are not listed',
    advice: 'Send a smaller message.',
    strict: null,
  },
  injected_fault: {
    level: 'note',
    text: 'A fault was injected',
    advice: 'List faults with "svc dev faults list".',
    strict: null,
  },
  malformed_header: {
    level: 'info',
    text: 'The header of a message does not follow RFC 5322',
    advice: 'Compose the message with a library. Other programs may read it in another way.',
    strict: null,
  },
  repeated_field: {
    level: 'info',
    text: 'A message has a header field twice that may occur once',
    advice: 'Remove all but one.',
    strict: null,
  },
  invalid_content_type: {
    level: 'info',
    text: 'A Content-Type of a message is invalid',
    advice: 'Write it as type/subtype, with a semicolon before each parameter: text/plain; charset=utf-8.',
    strict: null,
  },
  missing_parts: {
    level: 'info',
    text: 'The boundaries of a multipart message do not match its Content-Type',
    advice: 'Begin each part with the boundary that Content-Type names, and end the last one with it.',
    strict: null,
  },
  guessed_charset: {
    level: 'info',
    text: 'The text of a message is not in the charset that it declares',
    advice: 'Declare the charset in which the text is encoded: text/plain; charset=utf-8.',
    strict: null,
  },
  revealed_bcc: {
    level: 'info',
    text: 'A message has a Bcc field, which every recipient can read',
    advice: 'Remove the field. Bcc recipients belong in RCPT TO only.',
    strict: null,
  },
  repeated_key: {
    level: 'info',
    text: 'An object in a JSON body has the same key twice',
    advice: 'Remove all but one. The last one holds here, and other servers may use the first one.',
    strict: null,
  },
  ignored_idempotency_key: {
    level: 'info',
    text: 'A request has an Idempotency-Key, which the API does not define',
    advice: 'Do not rely on it: the same request sent twice is carried out twice.',
    strict: null,
  },
} as const satisfies Record<string, WarningForm>;

export type WarningCode = keyof typeof warningForms;
export const warningCodes = Object.keys(warningForms) as WarningCode[];

/** A warning about one request or message. */
export interface ServiceWarning {
  code: WarningCode;
  /** The field or parameter, such as `attachments.0.content`; empty for the whole message. */
  path: string;
  message: string;
}

/** A warning as responses contain it, with everything that follows from its code. */
export interface DescribedWarning extends ServiceWarning {
  level: WarningLevel;
  advice: string;
  /** The status with which `--strict` refuses the request; null if it does not. */
  strict_status: number | null;
}

export function describeWarning({ code, path, message }: ServiceWarning): DescribedWarning {
  const { level, advice, strict } = warningForms[code];
  return { code, level, path, message, advice, strict_status: strict === null ? null : failures[strict].status };
}

/** Formats a warning: `tagz: is not a field (did you mean tags?)`. */
export function warningText({ path, message }: Pick<ServiceWarning, 'path' | 'message'>): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Formats a warning with its code. */
function codedWarningText(warning: ServiceWarning): string {
  return `${warning.code}; ${warningText(warning)}`;
}

const PRINTABLE_CHARACTERS = 300;

/** Formats a warning with its code for a response header or an SMTP reply: in printable ASCII of limited length. */
export function printableWarningText(warning: ServiceWarning): string {
  return codedWarningText(warning)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, PRINTABLE_CHARACTERS);
}

/** Matches the comma between two values of the header, which clients join. Every code has an underscore. */
const BETWEEN_VALUES = /, (?=[a-z]+_[a-z_]+; )/;

/** Parses the values of the response header. A value without a known code is a warning. */
export function readWarnings(header: string): { code: WarningCode | undefined; level: WarningLevel; text: string }[] {
  if (header === '') return [];
  return header.split(BETWEEN_VALUES).map((value) => {
    const [, name = '', text = ''] = /^([a-z_]+); (.*)$/s.exec(value) ?? [];
    const code = warningCodes.find((known) => known === name);
    return code ? { code, level: warningForms[code].level, text } : { code, level: 'warning', text: value };
  });
}
