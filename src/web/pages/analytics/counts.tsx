import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { Result } from '../../../contract/endpoint.js';
import type { Service } from '../../../contract/service/endpoints.js';
import type { CounterName, Grouping } from '../../../contract/vocabulary/event-types.js';
import { LineChart, type LineStyle, SeriesMark } from '../../components/chart/line-chart.js';
import { formatCount } from '../../components/format.js';
import tables from '../../components/table.module.css';
import styles from './analytics-page.module.css';

type Analytics = Result<Service['analytics.emails']>;

/** The counts as totals, as a chart, and as a table. */
export function Counts({ total, by_date, by }: Analytics & { by: Grouping }) {
  const { hidden, toggle } = useHidden();
  const points = useMemo(
    () => by_date.map(({ date }) => ({ tick: periodTick(date, by), title: periodTitle(date, by) })),
    [by_date, by],
  );
  const series = useMemo(
    () =>
      counters
        .filter(({ name }) => !hidden.split(',').includes(name))
        .map(({ name, label, line }) => ({ name: label, line, values: by_date.map((period) => period[name]) })),
    [by_date, hidden],
  );
  return (
    <>
      <Totals total={total} hidden={hidden} onToggle={toggle} />
      <LineChart label={`Emails by ${by}. The table below has the numbers.`} points={points} series={series} />
      <CountTable total={total} periods={by_date} by={by} />
    </>
  );
}

interface TotalsProps {
  total: Analytics['total'];
  hidden: string;
  onToggle(name: CounterName): void;
}

/** The totals with their shares. Each shows or hides its line. */
function Totals({ total, hidden, onToggle }: TotalsProps) {
  return (
    <ul className={styles.totals} aria-label="Totals">
      {counters.map(({ name, label, line }) => {
        const rate = name === 'sent' ? undefined : rateOf(total[name], total.sent);
        return (
          <li key={name}>
            <button
              type="button"
              className={styles.total}
              aria-pressed={!hidden.split(',').includes(name)}
              title={`Show ${label.toLowerCase()} in the chart`}
              onClick={() => onToggle(name)}
            >
              <span>
                <SeriesMark line={line} /> {label}
              </span>{' '}
              <b>{formatCount(total[name])}</b> <span>{rate ? `${rate} of sent` : ''}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the names of the hidden lines, which are in the address. */
function useHidden() {
  const [params, setParams] = useSearchParams();
  const hidden = params.get('hide') ?? '';
  const toggle = (name: CounterName) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        const names = new Set(hidden.split(',').filter(Boolean));
        if (!names.delete(name)) names.add(name);
        if (names.size > 0) after.set('hide', [...names].join(','));
        else after.delete('hide');
        return after;
      },
      { replace: true },
    );
  return { hidden, toggle };
}

const CAPTIONS = { day: 'Days with events', week: 'Weeks with events', month: 'Months with events' } as const;

interface Props {
  total: Analytics['total'];
  periods: Analytics['by_date'];
  by: Grouping;
}

/** The numbers of the chart, newest first, without the periods in which nothing happened. */
function CountTable({ total, periods, by }: Props) {
  const shown = periods.filter((period) => counters.some(({ name }) => period[name] > 0)).reverse();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable table needs the keyboard too
    <section className={styles.scroll} tabIndex={0} aria-label={`Emails by ${by}`}>
      <table className={`${tables.table} ${styles.counts}`}>
        <caption>{CAPTIONS[by]}</caption>
        <thead>
          <tr>
            <th scope="col">{by === 'day' ? 'Day' : by === 'week' ? 'Week' : 'Month'}</th>
            {counters.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((period) => (
            <tr key={period.date}>
              <th scope="row">{periodTitle(period.date, by)}</th>
              {counters.map(({ name }) => (
                <td key={name}>{formatCount(period[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {counters.map(({ name }) => (
              <td key={name}>{formatCount(total[name])}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">Share of sent</th>
            {counters.map(({ name }) => (
              <td key={name}>{rateOf(total[name], total.sent) ?? '–'}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

/** How each counter is named and drawn, in the order of the page. */
const counters: readonly { name: CounterName; label: string; line: LineStyle }[] = [
  { name: 'sent', label: 'Sent', line: { color: '--gray' } },
  { name: 'delivered', label: 'Delivered', line: { color: '--green' } },
  { name: 'opened', label: 'Opened', line: { color: '--blue', dash: [8, 3] } },
  { name: 'clicked', label: 'Clicked', line: { color: '--violet', dash: [3, 3] } },
  { name: 'bounced', label: 'Bounced', line: { color: '--red' } },
  { name: 'complained', label: 'Complained', line: { color: '--orange', dash: [8, 3] } },
];

/** Returns the share of the sent emails: `95%`, `1.2%`; undefined without sent emails. */
function rateOf(count: number, sent: number): string | undefined {
  if (sent === 0) return undefined;
  const percent = (count / sent) * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** Names periods of UTC by their first day. */

const UTC = { timeZone: 'UTC' } as const;

/** Returns `Mon 2 Mar 2026`, `Week of 2 Mar 2026` or `March 2026`, in the order of the browser's language. */
function periodTitle(date: string, by: Grouping): string {
  const at = new Date(date);
  if (by === 'month') return at.toLocaleDateString(undefined, { ...UTC, month: 'long', year: 'numeric' });
  const day = { ...UTC, day: 'numeric', month: 'short', year: 'numeric' } as const;
  if (by === 'week') return `Week of ${at.toLocaleDateString(undefined, day)}`;
  return at.toLocaleDateString(undefined, { ...day, weekday: 'short' });
}

/** Returns the short name of a period for an axis: `2 Mar`, or `Mar 26` for a month. */
function periodTick(date: string, by: Grouping): string {
  const form =
    by === 'month' ? ({ month: 'short', year: '2-digit' } as const) : ({ day: 'numeric', month: 'short' } as const);
  return new Date(date).toLocaleDateString(undefined, { ...UTC, ...form });
}
