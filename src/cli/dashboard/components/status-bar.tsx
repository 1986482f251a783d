import { Text } from 'ink';
import { emailStatuses } from '../../../contract/vocabulary/email-statuses.js';
import type { Summary } from '../state.js';
import { joinFitting } from './fitting.js';

/** Facts about the server that do not change while it runs. */
export interface ServerFacts {
  baseUrl: string;
  smtp: string;
  plan: string;
  profile: string;
  zone: string;
}

const NAME = 'svc dev';
const GAP = '  ';
const colours: Record<string, string> = { scheduled: 'yellow', delivered: 'green', bounced: 'red', complained: 'red' };

/** Shows what the server holds and how it is configured: what a developer looks for first, in two lines. */
export function StatusBar(props: {
  summary: Summary | undefined;
  clock: string | undefined;
  facts: ServerFacts;
  columns: number;
}) {
  const { summary, clock, facts, columns } = props;
  const { baseUrl, smtp, plan, profile, zone } = facts;
  const parts = [`API ${baseUrl}`, `SMTP ${smtp}`, `plan ${plan}`, `profile ${profile}`, `times ${zone}`];
  return (
    <>
      <Text wrap="truncate">
        <Text bold>{NAME}</Text>
        {summary && <Counts summary={summary} />}
        {clock !== undefined && <Text color="yellow">{`${GAP}clock ${clock}`}</Text>}
      </Text>
      <Text wrap="truncate" dimColor>
        {joinFitting(parts, columns)}
      </Text>
    </>
  );
}

const ORDER: readonly string[] = emailStatuses;

function positionOf(status: string): number {
  return ORDER.indexOf(status);
}

function Counts({ summary: { emails, failing_webhooks } }: { summary: Summary }) {
  const counts = Object.entries(emails).toSorted(([a], [b]) => positionOf(a) - positionOf(b));
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      {`${GAP}${total.toLocaleString('en')} ${total === 1 ? 'email' : 'emails'}${total > 0 ? ':' : ''}`}
      {counts.map(([status, count]) => (
        <Text key={status}>
          {' '}
          <Text {...(colours[status] && { color: colours[status] })}>{count.toLocaleString('en')}</Text>
          {` ${status}`}
        </Text>
      ))}
      {failing_webhooks > 0 && (
        <Text color="red">{`${GAP}${failing_webhooks} ${failing_webhooks === 1 ? 'webhook' : 'webhooks'} failing`}</Text>
      )}
    </>
  );
}
