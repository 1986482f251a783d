import type { CounterName } from '../../../contract/vocabulary/counters.js';
import type { LineStyle } from '../../components/chart/line-style.js';

/** How each counter is named and drawn, in the order of the page. */
export const counters: readonly { name: CounterName; label: string; line: LineStyle }[] = [
  { name: 'sent', label: 'Sent', line: { color: '--gray' } },
  { name: 'delivered', label: 'Delivered', line: { color: '--green' } },
  { name: 'opened', label: 'Opened', line: { color: '--blue', dash: [8, 3] } },
  { name: 'clicked', label: 'Clicked', line: { color: '--violet', dash: [3, 3] } },
  { name: 'bounced', label: 'Bounced', line: { color: '--red' } },
  { name: 'complained', label: 'Complained', line: { color: '--orange', dash: [8, 3] } },
];

/** Returns the share of the sent emails: `95%`, `1.2%`; undefined without sent emails. */
export function rateOf(count: number, sent: number): string | undefined {
  if (sent === 0) return undefined;
  const percent = (count / sent) * 100;
  return `${percent > 0 && percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}
