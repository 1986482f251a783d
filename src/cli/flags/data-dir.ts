import { Flags, type Interfaces } from '@oclif/core';
import { KEEP_IF_FLAG, keepIfProblem, type Retention } from '../../contract/vocabulary/retention.js';
import { QueryUsageError, UsageError } from '../errors/exit-codes.js';
import { fills } from './request-field.js';
import { checkQuery } from './values/query.js';
import { statusRangeFlag } from './values/value-types.js';

/** Declares that the data directory is trusted, regardless of its owner and modes. */
export const trustDataDirFlag = {
  'trust-data-dir': Flags.boolean({
    description:
      'Use a .svc/ that was found even if svc did not create it, and a data directory of another user or that others ' +
      'can write to. Default: SVC_TRUST_DATA_DIR=1.',
  }),
};

/** Declares the flags of commands that use a local server's data directory. */
export const dataDirFlag = {
  'data-dir': Flags.string({
    description: 'Data directory (default: SVC_DATA_DIR, the nearest .svc/, or the user’s data directory).',
    helpValue: 'DIR',
  }),
  ...trustDataDirFlag,
};

/** Values of the flags, each optional. */
export type DataDirFlags = Partial<Interfaces.InferredFlags<typeof dataDirFlag>>;

/** Declares the flags for a report of the server's warnings. */
export const reportFlags = {
  'fail-on-warning': Flags.boolean({ description: 'Exit with 3 if there are warnings. Notes do not count.' }),
};

/** The flag for the report as a file. */
export function reportFileFlag() {
  return Flags.string({ description: 'JUnit XML file to write the report of warnings to.', helpValue: 'FILE' });
}

/**
 * Checks the query of emails that a server keeps.
 * @throws UsageError for a query without effect, and QueryUsageError with the position of a problem.
 */
export async function checkKeepIf(retention: Retention): Promise<void> {
  const query = retention.keepIf;
  if (query === null) return;
  await checkQuery(KEEP_IF_FLAG, query);
  const problem = keepIfProblem(retention);
  if (!problem) return;
  const { message, hint, at } = problem;
  throw at ? new QueryUsageError(message, hint, { flag: KEEP_IF_FLAG, query, ...at }) : new UsageError(message, hint);
}

/** Declares the flag of commands that open the browser. */
export const printFlag = {
  print: Flags.boolean({ description: 'Print the address, and do not open the browser.' }),
};

/** The flag that adds SMTP sessions to requests, to which the other filters do not apply. */
export const smtpFlag = Flags.boolean({
  description: 'Include SMTP sessions.',
  exclusive: ['status', 'path', 'method'],
});

/** Declares the flags that filter the request log. */
export const requestFlags = {
  status: fills('status', statusRangeFlag({ description: 'Filter by status (404) or status class (4xx).' })),
  path: fills('path', Flags.string({ description: 'Filter by path; * matches any text.', helpValue: 'PATTERN' })),
  method: fills(
    'method',
    Flags.option({ options: ['GET', 'POST', 'PATCH', 'DELETE'] as const, description: 'Filter by method.' })(),
  ),
  all: fills(
    'all',
    Flags.boolean({ description: 'Include the reads of svc’s own commands, such as "svc emails list".' }),
    (set) => (set ? ('true' as const) : undefined),
  ),
};
