import { useSearchParams } from 'wouter';
import { counterNames } from '../../../contract/vocabulary/counters.js';
import { useControl, useInbox, useService } from '../../api/calls.js';
import { useReadOnFocus } from '../../api/reading-on-focus.js';
import { CopyText } from '../../components/copy-text.js';
import { EmptyState } from '../../components/empty-state.js';
import { Loaded } from '../../components/loaded.js';
import { Page } from '../../components/page/page.js';
import { snippets } from '../emails/empty/snippets.js';
import { Counts } from './counts.js';
import { type Range, readRange } from './range.js';
import { RangeForm } from './range-form.js';

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
