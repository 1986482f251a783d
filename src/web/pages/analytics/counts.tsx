import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { Result } from '../../../contract/endpoint.js';
import type { Service } from '../../../contract/service/endpoints.js';
import type { CounterName, Grouping } from '../../../contract/vocabulary/counters.js';
import { LineChart } from '../../components/chart/line-chart.js';
import { SeriesMark } from '../../components/chart/series-mark.js';
import { formatCount } from '../../components/format.js';
import styles from './analytics-page.module.css';
import { CountTable } from './count-table.js';
import { counters, rateOf } from './counters.js';
import { periodTick, periodTitle } from './dates.js';

export type Analytics = Result<Service['analytics.emails']>;

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
