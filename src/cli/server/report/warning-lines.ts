import type { App } from '../../../app/app.js';
import { describeWarning } from '../../../contract/vocabulary/warnings.js';
import { warningLine } from '../../output/formatters/warnings.js';
import { localTimeOfDay } from '../../output/local-time.js';
import { oneLine, safeJson } from '../../output/text.js';

/** Formats warnings for the log of a running server. */

type TalliedWarning = Parameters<Parameters<App['onWarning']>[0]>[0];

export function lineOfWarning({ warning, first }: TalliedWarning): string {
  const described = describeWarning(warning);
  const time = localTimeOfDay(new Date(first.at).toISOString());
  return `${time}  ${described.level.padEnd(17)}  ${oneLine(first.route)}  ${warningLine(described)}\n`;
}

export function jsonOfWarning({ warning, first }: TalliedWarning): string {
  const { route, userAgent: user_agent, requestId: request_id, emailId: email_id, at } = first;
  const of = { route, user_agent, request_id, email_id, at: new Date(at).toISOString() };
  return `${safeJson(JSON.stringify({ warning: { ...describeWarning(warning), ...of } }))}\n`;
}
