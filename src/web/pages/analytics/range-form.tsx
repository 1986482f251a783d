import { groupings } from '../../../contract/vocabulary/counters.js';
import { SelectField, TextField } from '../../components/form/field.js';
import styles from './analytics-page.module.css';
import { type Period, periods, type Range } from './range.js';

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
