import type { ClockState } from '../contract/simulation.js';
import { timestamp } from './context.js';
import type { ControlHandler } from './control-handlers.js';
import type { Clock } from './ports.js';

/** The service's time, in the local server's own API. */

export const getClock: ControlHandler<'clock.get'> = async (_, { clock, time }) => {
  await time.restore();
  return stateOf(clock, time.frozen);
};

export const advanceClock: ControlHandler<'clock.advance'> = async ({ body }, { clock, time }) => {
  const ran = await time.advance(body.by);
  return { ...stateOf(clock, time.frozen), ran };
};

export const updateClock: ControlHandler<'clock.update'> = async ({ body }, { clock, time }) => {
  const ran = await time.update(body);
  return { ...stateOf(clock, time.frozen), ran };
};

function stateOf(clock: Clock, frozen: boolean): ClockState {
  const now = clock.now();
  return { now: timestamp(now), frozen, offset_ms: now - clock.systemNow() };
}
