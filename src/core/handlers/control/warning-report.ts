import type { ReportedWarning } from '../../../contract/control/warning-report.js';
import { failures } from '../../../contract/vocabulary/errors.js';
import { describeWarning, warningForms } from '../../../contract/vocabulary/warnings.js';
import { timestamp } from '../../context.js';
import type { TalliedWarning, WarningOccurrence } from '../../streams/warning-tally.js';
import type { ControlHandler, ControlHandlers } from './context.js';
import { refuseScoped } from './workspaces.js';

/** Implements the control API's endpoint for the warnings since the server's start. Gap 40. */

const reportWarnings: ControlHandler<'report'> = async ({ query }, { warningTally, parsePending, key }) => {
  // Its examples are requests of any key.
  refuseScoped(key, 'read the report of all requests');
  await parsePending();
  return {
    since: timestamp(query.since ?? warningTally.since),
    warnings: warningTally.list(query.since).map(present),
    omitted: warningTally.omitted('warning', query.since),
    omitted_notes: warningTally.omitted('note', query.since),
    omitted_infos: warningTally.omitted('info', query.since),
  };
};

function present({ warning, count, first, last, example }: TalliedWarning): ReportedWarning {
  const { strict } = warningForms[warning.code];
  return {
    ...describeWarning(warning),
    strict_code: strict === null ? null : failures[strict].code,
    refused: first.refused,
    count,
    route: first.route,
    user_agent: first.userAgent,
    first: occurrence(first),
    last: occurrence(last),
    example,
  };
}

function occurrence({ at, requestId, emailId }: WarningOccurrence) {
  return { at: timestamp(at), request_id: requestId, email_id: emailId };
}

export const reportHandlers = {
  report: reportWarnings,
} satisfies Partial<ControlHandlers>;
