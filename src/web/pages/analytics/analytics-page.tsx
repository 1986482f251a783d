import { useSearchParams } from 'wouter';
import { counterNames, type Grouping, groupings } from '../../../contract/vocabulary/event-types.js';
import { DAY_MS } from '../../../contract/vocabulary/limits.js';
import { useControl, useInbox, useReadOnFocus, useService } from '../../api/calls.js';
import { CopyText } from '../../components/copy-text.js';
import { SelectField, TextField } from '../../components/form/field.js';
import { Page } from '../../components/page/page.js';
import { EmptyState, Loaded } from '../../components/states.js';
import { snippets } from '../emails/snippets.js';
import styles from './analytics-page.module.css';
import { Counts } from './counts.js';

/** How many emails were sent, delivered, opened, clicked, bounced and complained about, over time. */
export function AnalyticsPage() {
  const [params, setParams] = useSearchParams();
  const clock = useControl('clock.get', {});
  useReadOnFocus('analytics', 'clock');
  return (
    <Page
      title="Analytics"
      about="Number of events of emails, by their day in UTC. An email that is opened twice counts as two opens."
    >
      <Loaded query={clock}>
        {({ now }) => {
          const range = readRange(params, Date.parse(now));
          return (
            <>
              <RangeForm range={range} onChange={(changed, options) => setParams(keeping(params, changed), options)} />
              <Result range={range} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Result({ range: { from, to, by } }: { range: Range }) {
  const query = { from_date: from, to_date: to, group_by: by };
  const analytics = useService('analytics.emails', { query }, { keepPrevious: true });
  return (
    <Loaded query={analytics}>
      {(data) => (counterNames.some((name) => data.total[name] > 0) ? <Counts {...data} by={by} /> : <NoEvents />)}
    </Loaded>
  );
}

function NoEvents() {
  const { info } = useInbox();
  return (
    <EmptyState title="No events in this period">
      <p>Choose a longer period, or send an email:</p>
      <CopyText text={snippets(info)[0]?.code ?? ''} />
    </EmptyState>
  );
}

/** Returns the address of another range, which keeps what is hidden. */
function keeping(params: URLSearchParams, range: Record<string, string>): Record<string, string> {
  const hide = params.get('hide');
  return hide === null ? range : { ...range, hide };
}

interface Props {
  range: Range;
  /** Called with the parameters of the page's address, which replaces the one before while a date is typed. */
  onChange(params: Record<string, string>, options?: { replace: boolean }): void;
}

const DATES = 'dates';
const BY = { day: 'Day', week: 'Week', month: 'Month' } as const;

/** Chooses the period and the length of its parts. */
export function RangeForm({ range: { period, from, to, by }, onChange }: Props) {
  const current: Record<string, string> = period ? { period } : { from, to };
  /** A date that is being typed is empty until it is complete. */
  const changeDate = (name: 'from' | 'to', date: string) =>
    date && onChange({ from, to, by, [name]: date }, { replace: true });
  return (
    <div className={styles.range}>
      <SelectField
        label="Period"
        value={period ?? DATES}
        onChange={({ target: { value } }) => onChange(value === DATES ? { from, to, by } : { period: value })}
      >
        {(Object.keys(periods) as Period[]).map((name) => (
          <option key={name} value={name}>
            {periods[name].label}
          </option>
        ))}
        <option value={DATES}>Dates</option>
      </SelectField>
      <SelectField label="By" value={by} onChange={({ target }) => onChange({ ...current, by: target.value })}>
        {groupings.map((name) => (
          <option key={name} value={name}>
            {BY[name]}
          </option>
        ))}
      </SelectField>
      {period === undefined && (
        <>
          <TextField
            label="From"
            type="date"
            value={from}
            onChange={({ target }) => changeDate('from', target.value)}
          />
          <TextField label="To" type="date" value={to} onChange={({ target }) => changeDate('to', target.value)} />
        </>
      )}
    </div>
  );
}

/** Reads the range of the analytics page from its address: `?period=90d&by=week`, or `?from=2026-01-01&to=2026-01-31`. */

export const periods = {
  '7d': { label: 'Last 7 days', days: 7, by: 'day' },
  '30d': { label: 'Last 30 days', days: 30, by: 'day' },
  '90d': { label: 'Last 90 days', days: 90, by: 'week' },
  '1y': { label: 'Last 12 months', days: 365, by: 'month' },
} as const satisfies Record<string, { label: string; days: number; by: Grouping }>;
export type Period = keyof typeof periods;
const DEFAULT: Period = '30d';

export interface Range {
  /** Undefined for dates that the user chose. */
  period: Period | undefined;
  /** Dates of UTC, both included. */
  from: string;
  to: string;
  by: Grouping;
}

/** @param now milliseconds since 1970 in the service's time */
export function readRange(params: URLSearchParams, now: number): Range {
  const [from, to] = [params.get('from'), params.get('to')];
  const grouping = groupings.find((each) => each === params.get('by'));
  if (from && to) return { period: undefined, from, to, by: grouping ?? 'day' };
  const name = (Object.keys(periods) as Period[]).find((each) => each === params.get('period')) ?? DEFAULT;
  const { days, by } = periods[name];
  return { period: name, from: dateOf(now - (days - 1) * DAY_MS), to: dateOf(now), by: grouping ?? by };
}

function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
