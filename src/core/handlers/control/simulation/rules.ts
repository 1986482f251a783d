import type { ClockState } from '../../../../contract/control/simulation/clock.js';
import type { Rule } from '../../../../contract/control/simulation/outcomes.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { shortened } from '../../../../contract/vocabulary/text.js';
import { everyRecord } from '../../../account/simulated-dns.js';
import { timestamp } from '../../../context.js';
import type { ClockController } from '../../../jobs/clock-controller.js';
import type { TimeTravelResult } from '../../../jobs/scheduler.js';
import type { RuleRecord } from '../../../model/resources.js';
import type { Clock } from '../../../ports.js';
import { unknownDomain } from '../../service/domains.js';
import type { ControlHandler } from '../context.js';
import { refuseScoped } from '../workspaces.js';

/** Implements the control API's endpoints for outcome rules. */

export const listRules: ControlHandler<'rules.list'> = async (_, { store }) => ({
  rules: (await store.read.rules.list()).map(presentRule),
});

export const createRule: ControlHandler<'rules.create'> = async ({ body }, { store, clock, ids, key }) => {
  const createdAt = clock.now();
  const rule: RuleRecord = {
    id: ids.next('rul', createdAt),
    pattern: body.to.trim().toLowerCase(),
    outcome: body.outcome,
    bounceType: body.bounce_type ?? null,
    complaintType: body.complaint_type ?? null,
    dropReason: body.drop_reason ?? null,
    reason: body.reason ?? null,
    delayMs: body.delay ?? null,
    times: body.times ?? null,
    used: 0,
    workspace: key.workspace,
    createdAt,
  };
  await store.write((tx) => tx.rules.insert(rule));
  return presentRule(rule);
};

export const deleteRule: ControlHandler<'rules.delete'> = async ({ params }, { store }) => {
  if (await store.write((tx) => tx.rules.delete(params.id))) return;
  throw new ServiceError('not_found', `Rule ${JSON.stringify(shortened(params.id))} not found.`);
};

function presentRule(rule: RuleRecord): Rule {
  return {
    id: rule.id,
    to: rule.pattern,
    outcome: rule.outcome,
    bounce_type: rule.bounceType,
    complaint_type: rule.complaintType,
    drop_reason: rule.dropReason,
    reason: rule.reason,
    delay_ms: rule.delayMs,
    times: rule.times,
    used: rule.used,
    workspace: rule.workspace,
    created_at: timestamp(rule.createdAt),
  };
}

/** Implements the control API's endpoints for the simulated DNS. Gap 17. */

export const listRecords: ControlHandler<'dns.list'> = async ({ query: { look_up: domain } }, context) => {
  const { simulatedDns, dns, store } = context;
  const kind = simulatedDns ? 'simulated' : 'real';
  const records = simulatedDns
    ? await simulatedDns.records(store.read)
    : (await everyRecord(store.read)).map(({ token: _, ...record }) => ({ ...record, published: null }));
  if (domain === undefined) return { dns: kind, records };
  if (!(await store.read.domains.find(domain))) throw unknownDomain(domain);
  const own = records.filter((record) => record.domain === domain);
  const found = await Promise.all(own.map(({ name }) => dns.txt(name).catch(noAnswer)));
  return { dns: kind, records: own.map((record, index) => ({ ...record, found: found[index] ?? null })) };
};

/** The verification of the domain reports why the DNS did not answer. */
function noAnswer(error: unknown): null {
  if (error instanceof ServiceError && error.failure === 'upstream') return null;
  throw error;
}

export const publishRecord: ControlHandler<'dns.update'> = ({ params, body }, { simulatedDns }) => {
  if (simulatedDns) return simulatedDns.setPublished(params.name, body.published);
  throw new ServiceError(
    'conflict',
    'This server uses real DNS; change the records there.',
    undefined,
    'To simulate DNS, start "svc dev" without --dns real and --dns-server.',
  );
};

/** Implements the control API's endpoints for the service's clock. */

export const getClock: ControlHandler<'clock.get'> = async (_, { clock, clockController }) => {
  await clockController.restore();
  return stateOf(clock, clockController);
};

export const advanceClock: ControlHandler<'clock.advance'> = async ({ body }, { clock, clockController, key }) => {
  refuseScoped(key, 'change the clock');
  const travel = await clockController.advance(body.by, body.wait);
  return { ...stateOf(clock, clockController), ...presentClock(travel) };
};

export const updateClock: ControlHandler<'clock.update'> = async ({ body }, { clock, clockController, key }) => {
  refuseScoped(key, 'change the clock');
  const travel = await (body.offset_ms === 0 ? clockController.reset() : clockController.update(body));
  return { ...stateOf(clock, clockController), ...presentClock(travel) };
};

function presentClock({ ran, cutShort }: TimeTravelResult) {
  return { ran, cut_short: cutShort };
}

function stateOf(clock: Clock, { frozen, offset }: ClockController): ClockState {
  return { now: timestamp(clock.now()), frozen, offset_ms: offset };
}
