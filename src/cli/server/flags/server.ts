import { Errors, Flags, type Interfaces } from '@oclif/core';
import { DURATION_FORM, readDuration } from '../../../contract/vocabulary/durations.js';
import {
  DEFAULT_PLAN,
  DELIVERY_DELAY,
  KEEP_MAX,
  MAX_AGE_MIN_MS,
  planNames,
  RECIPIENTS_MAX,
  SCHEDULE_AHEAD_DAYS,
} from '../../../contract/vocabulary/limits.js';
import { exitCodes, UsageError } from '../../errors/exit-codes.js';
import { durationFlag } from '../../flags/values/value-types.js';
import { quoted } from '../../output/text.js';

/** Declares the flags for the behaviour of a local server, for the commands that start one. */
export const serverFlags = {
  plan: Flags.option({
    description: 'Plan whose limits apply; "none" disables limits.',
    options: planNames,
    default: DEFAULT_PLAN,
  })(),
  'retry-schedule': Flags.string({
    description: 'Delays between webhook attempts, comma-separated.',
    default: '5s,30s,120s',
    helpValue: 'DURATIONS',
  }),
  'webhook-success': Flags.option({
    description: 'Response statuses of a webhook that count as success.',
    options: ['2xx', '200'] as const,
    default: '2xx' as const,
  })(),
  'webhook-reject': Flags.integer({
    description: 'Response status of a webhook that stops retries (default: none).',
    helpValue: 'STATUS',
    min: 400,
    max: 599,
  }),
  'max-recipients': Flags.integer({
    description: 'Maximum number of recipients of an email over REST.',
    helpValue: 'N',
    min: 1,
    max: RECIPIENTS_MAX,
    default: RECIPIENTS_MAX,
  }),
  'schedule-days': Flags.integer({
    description: 'Maximum number of days ahead that an email may be scheduled.',
    helpValue: 'N',
    min: 1,
    max: SCHEDULE_AHEAD_DAYS,
    default: SCHEDULE_AHEAD_DAYS,
  }),
  strict: Flags.boolean({
    description:
      'Reject requests that the service may refuse, instead of announcing them; see svc dev report. DNS records of a ' +
      'domain are missing until "svc domains dns DOMAIN --publish RECORD" or --domain publishes them.',
  }),
  mailpit: Flags.boolean({
    description: 'Serve the API of Mailpit too, for its clients. Set by SVC_MAILPIT=1 as well.',
  }),
  domain: Flags.string({
    description: 'Sending domain to add and verify when the server starts; repeatable.',
    helpValue: 'NAME',
    multiple: true,
    parse: readDomain,
  }),
  'delivery-delay': durationFlag({
    description: 'Time from sending an email to its delivery, bounce or other outcome; 0 delivers at once.',
    default: DELIVERY_DELAY,
  }),
  keep: Flags.integer({
    description: 'Number of emails to keep; older ones are deleted (default: all).',
    helpValue: 'N',
    min: 1,
    max: KEEP_MAX,
  }),
  'max-age': durationFlag({
    description: 'Age at which emails are deleted, on the machine’s clock (default: none).',
  }),
  'keep-if': Flags.string({
    description: 'Query for emails to keep regardless of --keep and --max-age, such as: tag:keep.',
    helpValue: 'QUERY',
  }),
};

/** Returns the ports. @throws UsageError when both servers have the same port. */
export function readPorts(flags: { 'http-port': number; 'smtp-port': number }): { httpPort: number; smtpPort: number } {
  const { 'http-port': httpPort, 'smtp-port': smtpPort } = flags;
  if (httpPort !== smtpPort || httpPort === 0) return { httpPort, smtpPort };
  throw new UsageError(
    `--http-port and --smtp-port must differ; both are ${httpPort}.`,
    'Pass 0 to select a free port.',
  );
}

/** Returns the server's options. @throws UsageError when the retry schedule is invalid. */
export function readServerFlags({
  plan,
  'retry-schedule': schedule,
  'webhook-success': success,
  'webhook-reject': rejected,
  'max-recipients': recipients,
  'schedule-days': scheduleDays,
  'delivery-delay': delay,
  strict,
  mailpit,
  domain: domains,
  keep,
  'max-age': maxAge,
  'keep-if': keepIf,
}: Interfaces.InferredFlags<typeof serverFlags>) {
  return {
    plan,
    retrySchedule: readSchedule(schedule),
    receiverStatuses: { success: success === '2xx' ? undefined : Number(success), rejected },
    sendingLimits: { recipients, scheduleDays },
    deliveryDelayMs: readDuration(delay) ?? 0,
    strict,
    ...((mailpit || process.env.SVC_MAILPIT === '1') && { mailpit: 'owner' as const }),
    ...(domains && { domains }),
    retention: {
      keep: keep ?? null,
      maxAgeMs: maxAge === undefined ? null : readMaxAge(maxAge),
      keepIf: keepIf ?? null,
    },
  };
}

/** Returns milliseconds. @throws UsageError for an age at which every email would be deleted at once. */
function readMaxAge(text: string): number {
  const milliseconds = readDuration(text) ?? 0;
  if (milliseconds >= MAX_AGE_MIN_MS) return milliseconds;
  throw new UsageError(
    `--max-age must be at least 1s, not ${JSON.stringify(text)}.`,
    'Leave it out to keep emails of any age.',
  );
}

/** Returns milliseconds from comma-separated durations. An empty text means no retries. */
function readSchedule(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => {
    const milliseconds = readDuration(part.trim());
    if (milliseconds !== undefined) return milliseconds;
    throw new UsageError(`--retry-schedule must contain durations; ${JSON.stringify(part)} is not ${DURATION_FORM}.`);
  });
}

/** Returns the name of a sending domain in lower case. oclif adds the name of the flag to the error. */
async function readDomain(value: string): Promise<string> {
  // Loaded here, because the schema needs zod.
  const { DomainName } = await import('../../../contract/service/domain-name.js');
  const read = DomainName.safeParse(value);
  if (read.success) return read.data;
  throw new Errors.CLIError(`${read.error.issues[0]?.message}, not ${quoted(value)}.`, { exit: exitCodes.usage });
}
