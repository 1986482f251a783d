import type { Rule } from '../../../../contract/control/simulation/outcomes.js';
import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { shortened } from '../../../../contract/vocabulary/text.js';
import { timestamp } from '../../../context.js';
import type { RuleRecord } from '../../../model/resources.js';
import type { ControlHandler, ControlHandlers } from '../context.js';
import { changedWorkspace } from '../workspaces.js';

/** Implements the control API's endpoints for outcome rules. */

const listRules: ControlHandler<'rules.list'> = async (_, { store }) => ({
  rules: (await store.read.rules.list()).map(present),
});

const createRule: ControlHandler<'rules.create'> = async ({ body }, context) => {
  const { store, clock, ids } = context;
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
    workspace: await changedWorkspace(context, body.workspace),
    createdAt,
  };
  await store.write(async (tx) => {
    await tx.rules.insert(rule);
    return rule;
  });
  return present(rule);
};

const deleteRule: ControlHandler<'rules.delete'> = async ({ params }, { store }) => {
  if (await store.write((tx) => tx.rules.delete(params.id))) return;
  throw new ServiceError('not_found', `Rule ${JSON.stringify(shortened(params.id))} not found.`);
};

function present(rule: RuleRecord): Rule {
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

export const ruleHandlers = {
  'rules.list': listRules,
  'rules.create': createRule,
  'rules.delete': deleteRule,
} satisfies Partial<ControlHandlers>;
