import type { ClockState } from '../../../../contract/control/simulation/clock.js';
import { timestamp } from '../../../context.js';
import type { ClockController } from '../../../jobs/clock-controller.js';
import type { TimeTravelResult } from '../../../jobs/scheduler.js';
import type { Clock } from '../../../ports.js';
import type { ControlHandler, ControlHandlers } from '../context.js';
import { refuseScoped } from '../workspaces.js';

/** Implements the control API's endpoints for the service's clock. */

const getClock: ControlHandler<'clock.get', 'clockController'> = async (_, { clock, clockController }) => {
  await clockController.restore();
  return stateOf(clock, clockController);
};

const advanceClock: ControlHandler<'clock.advance', 'clockController'> = async (
  { body },
  { store, clock, clockController, key },
) => {
  refuseScoped(key, 'change the clock');
  const travel = await clockController.advance(body.by, { patienceMs: body.wait, store });
  return { ...stateOf(clock, clockController), ...present(travel) };
};

const updateClock: ControlHandler<'clock.update', 'clockController'> = async (
  { body },
  { store, clock, clockController, key },
) => {
  refuseScoped(key, 'change the clock');
  const travel = await (body.offset_ms === 0
    ? clockController.reset({ store })
    : clockController.update(body, { store }));
  return { ...stateOf(clock, clockController), ...present(travel) };
};

function present({ ran, cutShort }: TimeTravelResult) {
  return { ran, cut_short: cutShort };
}

function stateOf(clock: Clock, { frozen, offset }: ClockController): ClockState {
  return { now: timestamp(clock.now()), frozen, offset_ms: offset };
}

export const clockHandlers = {
  'clock.get': getClock,
  'clock.advance': advanceClock,
  'clock.update': updateClock,
} satisfies Partial<ControlHandlers>;
