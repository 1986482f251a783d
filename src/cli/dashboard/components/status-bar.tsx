import { Text } from 'ink';
import { emailStatuses } from '../../../contract/vocabulary/emails.js';
import type { Summary } from '../state.js';

/** Facts about the server that do not change while it runs. */
export interface ServerFacts {
  inbox: string;
  baseUrl: string;
  smtp: string;
  plan: string;
  /** Undefined if no profile is in use. */
  profile: string | undefined;
  zone: string;
}

const NAME = 'svc dev';
const GAP = '  ';
const colours: Record<string, string> = { scheduled: 'yellow', delivered: 'green', bounced: 'red', complained: 'red' };

/** Shows the server's state and settings in two lines. What needs attention comes first, so that it is never cut. */
export function StatusBar(props: {
  summary: Summary | undefined;
  clock: string | undefined;
  facts: ServerFacts;
  columns: number;
}) {
  const { summary, clock, facts, columns } = props;
  return (
    <>
      <Text wrap="truncate">
        <Text bold>{NAME}</Text>
        {clock !== undefined && <Text color="yellow">{`${GAP}clock ${clock}`}</Text>}
        {summary && <Counts summary={summary} />}
      </Text>
      <Text wrap="truncate" dimColor>
        {factsFor(facts, columns)}
      </Text>
    </>
  );
}

/** Joins the facts that fit the width. If not all do, SMTP is shown with its port only. */
function factsFor({ inbox, baseUrl, smtp, plan, profile, zone }: ServerFacts, columns: number): string {
  const joined = (smtpAddress: string, width: number) =>
    joinFitting(
      [
        `Inbox ${inbox}`,
        `API ${baseUrl}`,
        `SMTP ${smtpAddress}`,
        `plan ${plan}`,
        ...(profile ? [`profile ${profile}`] : []),
        `times ${zone}`,
      ],
      width,
    );
  const all = joined(smtp, Infinity);
  return all.length <= columns ? all : joined(smtp.slice(smtp.lastIndexOf(':')), columns);
}

const ORDER: readonly string[] = emailStatuses;

function positionOf(status: string): number {
  return ORDER.indexOf(status);
}

function Counts({ summary: { emails, failing_webhooks } }: { summary: Summary }) {
  const counts = Object.entries(emails).toSorted(([a], [b]) => positionOf(a) - positionOf(b));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const webhooks = failing_webhooks === 1 ? 'webhook' : 'webhooks';
  return (
    <>
      {failing_webhooks > 0 && <Text color="red">{`${GAP}${failing_webhooks} ${webhooks} failing`}</Text>}
      {`${GAP}${total.toLocaleString('en')} ${total === 1 ? 'email' : 'emails'}${total > 0 ? ':' : ''}`}
      {counts.map(([status, count]) => (
        <Text key={status}>
          {' '}
          <Text {...(colours[status] && { color: colours[status] })}>{count.toLocaleString('en')}</Text>
          {` ${status}`}
        </Text>
      ))}
    </>
  );
}

/** Joins the first parts that fit the width. */
export function joinFitting(parts: readonly string[], width: number): string {
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : `${line}  ${part}`;
    if (longer.length > width) break;
    line = longer;
  }
  return line;
}
