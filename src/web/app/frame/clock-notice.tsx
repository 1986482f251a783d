import { Clock } from 'lucide-react';
import { Link } from 'wouter';
import { useControlChange } from '../../api/calls.js';
import { useIsClockMoving, useServiceClock, useTick } from '../../api/service-clock.js';
import { Button } from '../../components/button.js';
import { formatInstant } from '../../components/format.js';
import { Problem } from '../../components/problem.js';
import styles from './clock-notice.module.css';

/** Shows the service's time on every page while its clock is moved, frozen, or moving. */
export function ClockNotice() {
  const clock = useServiceClock();
  const isMoving = useIsClockMoving();
  const reset = useControlChange('clock.update');
  const isShown = clock !== undefined && (clock.isMoved || isMoving);
  useTick(isShown && !clock.isFrozen);
  if (!isShown) return null;
  const time = new Date(clock.now());
  return (
    <section className={styles.notice} aria-label="Service clock">
      <p className={styles.time}>
        <Clock size={16} aria-hidden />
        <span>
          <span className={styles.label}>Service time </span>
          <time dateTime={time.toISOString()}>{formatInstant(time)}</time>
        </span>
        <strong>{isMoving ? 'moving…' : clock.difference}</strong>
      </p>
      <span className={styles.actions}>
        <Link href="/clock">Change</Link>
        <Button disabled={isMoving} onClick={() => reset.mutate({ body: { offset_ms: 0 } })}>
          Reset clock
        </Button>
      </span>
      {reset.error && <Problem error={reset.error} />}
    </section>
  );
}
