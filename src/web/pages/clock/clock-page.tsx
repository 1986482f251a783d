import { useMutationState } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ControlOperations } from '../../../client/operations.js';
import type { Control } from '../../../contract/control/endpoints.js';
import type { Call } from '../../../contract/endpoint.js';
import { useControlChange } from '../../api/calls.js';
import { type ServiceClock, useIsClockMoving, useServiceClock, useTick } from '../../api/service-clock.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { formatCount, formatInstant, plural } from '../../components/format.js';
import { Page, Section } from '../../components/page/page.js';
import { Loading, Problem } from '../../components/states.js';
import styles from './clock-page.module.css';

const STEPS = ['1m', '5m', '1h', '1d', '7d'];

/** Moves the service's clock. */
export function ClockPage() {
  const clock = useServiceClock();
  const isMoving = useIsClockMoving();
  return (
    <Page
      title="Clock"
      about="Scheduled emails, webhook retries and rate limits use the service’s clock. Moving it forward runs everything that becomes due, in order."
    >
      {clock ? <Now clock={clock} isMoving={isMoving} /> : <Loading />}
      <LastMove isMoving={isMoving} />
      <Advance isMoving={isMoving} />
      <SetTime />
    </Page>
  );
}

function Now({ clock, isMoving }: { clock: ServiceClock; isMoving: boolean }) {
  const update = useControlChange('clock.update');
  useTick(!clock.isFrozen);
  return (
    <Section title="Service time">
      <p className={styles.time}>
        <time dateTime={new Date(clock.now()).toISOString()}>{formatInstant(new Date(clock.now()))}</time>
        <span>{isMoving ? 'moving…' : (clock.difference ?? 'system time')}</span>
      </p>
      <div className={styles.buttons}>
        <Button disabled={isMoving} onClick={() => update.mutate({ body: { frozen: !clock.isFrozen } })}>
          {clock.isFrozen && !isMoving ? 'Resume' : 'Freeze'}
        </Button>
        <Button disabled={isMoving || !clock.isMoved} onClick={() => update.mutate({ body: { offset_ms: 0 } })}>
          Reset to the system time
        </Button>
      </div>
      {update.error && <Problem error={update.error} />}
    </Section>
  );
}

function Advance({ isMoving }: { isMoving: boolean }) {
  const advance = useControlChange('clock.advance');
  const typed = useControlChange('clock.advance');
  return (
    <Section title="Advance">
      <div className={styles.buttons}>
        {STEPS.map((by) => (
          <Button key={by} disabled={isMoving} onClick={() => advance.mutate({ body: { by } })}>
            <span className="visually-hidden">Advance by </span>+{by}
          </Button>
        ))}
      </div>
      {advance.error && <Problem error={advance.error} />}
      <div className={styles.form}>
        <Form action="Advance" onSubmit={(fields) => typed.mutateAsync({ body: { by: String(fields.get('by')) } })}>
          <TextField label="Duration" name="by" required placeholder="1d12h" hint="Such as 90s, 2h or 1d12h." />
        </Form>
      </div>
    </Section>
  );
}

function SetTime() {
  const update = useControlChange('clock.update');
  const set = (fields: FormData) => {
    const local = new Date(String(fields.get('now')));
    if (Number.isNaN(local.getTime())) throw new Error('Enter a date and a time.');
    return update.mutateAsync({ body: { now: local.toISOString() } });
  };
  return (
    <Section title="Set">
      <div className={styles.form}>
        <Form action="Set" onSubmit={async (fields) => set(fields)}>
          <TextField
            label="Date and time"
            type="datetime-local"
            step="1"
            name="now"
            hint="In your time zone. Moving back undoes nothing; pending work waits longer."
          />
        </Form>
      </div>
    </Section>
  );
}

type Move = ControlOperations['clock.advance']['result'];

/** One and several runs of the service's jobs, in the order in which they are shown. */
const JOBS: Record<string, readonly [string, string]> = {
  'email.send': ['scheduled email', 'scheduled emails'],
  'email.deliver': ['round of deliveries', 'rounds of deliveries'],
  'email.outcome': ['step of an outcome', 'steps of outcomes'],
  'email.engage': ['open or click', 'opens and clicks'],
  'email.parse': ['message parsed', 'messages parsed'],
  'webhook.attempt': ['webhook attempt', 'webhook attempts'],
};

/** Shows what the last move of the clock ran, or that it still runs. */
export function LastMove({ isMoving }: { isMoving: boolean }) {
  const moves = useMutationState({
    filters: { mutationKey: ['clock'], status: 'success' },
    select: ({ state: { data, variables } }) => (isFreeze(variables) ? undefined : (data as Move)),
  });
  // Freezing and resuming move nothing.
  const last = moves.at(-1);
  return (
    <div role="status">
      {isMoving && (
        <p className={styles.moving}>
          The clock is moving. Everything that becomes due runs first, and webhook receivers have up to 10 seconds to
          respond.
        </p>
      )}
      {!isMoving && last && <Result move={last} />}
    </div>
  );
}

function isFreeze(call: unknown): boolean {
  return (call as Call<Control['clock.update']>).body.frozen !== undefined;
}

function Result({ move: { ran, cut_short } }: { move: Move }) {
  const counts = Object.entries(JOBS).flatMap(([kind, [one, many]]) => {
    const count = ran[kind] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${count === 1 ? one : many}`];
  });
  const webhooks = ran['webhook.attempt'] === undefined ? 0 : 1;
  return (
    <p className={styles.moving}>
      {counts.length === 0 ? 'Nothing was due.' : `Ran ${counts.join(', ')}. `}
      {cut_short > 0 && `${plural(cut_short, 'webhook attempt')} timed out before a response. `}
      {counts.length > webhooks && <Link href="/emails">Show the emails</Link>}
      {counts.length > 1 && webhooks > 0 && ' '}
      {webhooks > 0 && <Link href="/webhooks">Show the webhook deliveries</Link>}
    </p>
  );
}
