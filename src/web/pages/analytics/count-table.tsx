import type { Grouping } from '../../../contract/vocabulary/counters.js';
import { formatCount } from '../../components/format.js';
import tables from '../../components/table.module.css';
import styles from './analytics-page.module.css';
import { counters, rateOf } from './counters.js';
import type { Analytics } from './counts.js';
import { periodTitle } from './dates.js';

const CAPTIONS = { day: 'Days with events', week: 'Weeks with events', month: 'Months with events' } as const;

interface Props {
  total: Analytics['total'];
  periods: Analytics['by_date'];
  by: Grouping;
}

/** The numbers of the chart, newest first, without the periods in which nothing happened. */
export function CountTable({ total, periods, by }: Props) {
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
