import { useControlChange } from '../../api/calls.js';
import { type ServiceClock, useIsClockMoving, useServiceClock, useTick } from '../../api/service-clock.js';
import { Button } from '../../components/button.js';
import { TextField } from '../../components/form/field.js';
import { Form } from '../../components/form/form.js';
import { formatInstant } from '../../components/format.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Problem } from '../../components/problem.js';
import styles from './clock-page.module.css';
import { LastMove } from './last-move.js';

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
