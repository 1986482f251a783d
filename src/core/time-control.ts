import type { ClockState } from '../contract/simulation.js';
import { timestamp } from './context.js';
import type { ControlHandler } from './control-handlers.js';
import type { Clock } from './ports.js';
import type { Timekeeper } from './timekeeper.js';

/** The service's time, in the local server's own API. */

export const getClock: ControlHandler<'clock.get'> = async (_, { clock, time }) => {
  await time.restore();
  return stateOf(clock, time);
};

export const advanceClock: ControlHandler<'clock.advance'> = async ({ body }, { clock, time }) => {
  const ran = await time.advance(body.by);
  return { ...stateOf(clock, time), ran };
};

export const updateClock: ControlHandler<'clock.update'> = async ({ body }, { clock, time }) => {
  const ran = await (body.offset_ms === 0 ? time.reset() : time.update(body));
  return { ...stateOf(clock, time), ran };
};

function stateOf(clock: Clock, { frozen, offset }: Timekeeper): ClockState {
  return { now: timestamp(clock.now()), frozen, offset_ms: offset };
}
