import type { Fault } from '../../../../contract/control/simulation/faults.js';
import { type ErrorCode, ServiceError } from '../../../../contract/vocabulary/errors.js';
import { FAULTS_MAX } from '../../../../contract/vocabulary/faults/faults.js';
import { shortened } from '../../../../contract/vocabulary/text.js';
import { timestamp } from '../../../context.js';
import type { FaultRecord } from '../../../model/resources.js';
import { compileText } from '../../../search/compile-query.js';
import type { ControlHandler, ControlHandlers } from '../context.js';
import { changedWorkspace } from '../workspaces.js';

/** Implements the control API's endpoints for faults. */

const listFaults: ControlHandler<'faults.list'> = async (_, { store }) => ({
  faults: (await store.read.faults.list()).map(present),
});

const createFault: ControlHandler<'faults.create', 'faults'> = async ({ body }, context) => {
  const { store, clock, ids, faults } = context;
  const workspace = await changedWorkspace(context, body.workspace);
  const createdAt = clock.now();
  if (body.match !== undefined) await compileText({ path: 'match', in: 'body' }, body.match, createdAt);
  const fault: FaultRecord = {
    id: ids.next('flt', createdAt),
    smtp: body.smtp ?? null,
    http: body.http?.trim() ?? null,
    webhook: body.webhook ?? null,
    code: body.code ?? null,
    text: body.text ?? null,
    error: (body.error as ErrorCode | undefined) ?? null,
    delayMs: body.delay ?? null,
    drop: body.drop ?? null,
    truncate: body.truncate ?? false,
    retryAfterMs: body.retry_after ?? null,
    greylistMs: body.greylist ?? null,
    times: body.times ?? null,
    every: body.every ?? null,
    probability: body.probability ?? null,
    seed: body.seed ?? 0,
    afterMessages: body.after_messages ?? null,
    sender: body.from?.trim().toLowerCase() ?? null,
    recipient: body.to?.trim().toLowerCase() ?? null,
    query: body.match ?? null,
    preset: body.preset ?? null,
    seen: 0,
    hits: 0,
    workspace,
    createdAt,
  };
  await store.write(async (tx) => {
    if ((await tx.faults.list(workspace)).length >= FAULTS_MAX) {
      const message = `At most ${FAULTS_MAX} faults can exist in a workspace.`;
      throw new ServiceError('conflict', message, undefined, 'Remove some first.');
    }
    await tx.faults.insert(fault);
    return fault;
  });
  await faults.load();
  return present(fault);
};

const deleteFault: ControlHandler<'faults.delete', 'faults'> = async ({ params }, { store, faults }) => {
  if (!(await store.write((tx) => tx.faults.delete(params.id)))) {
    throw new ServiceError('not_found', `Fault ${JSON.stringify(shortened(params.id))} not found.`);
  }
  await faults.load();
};

const clearFaults: ControlHandler<'faults.clear', 'faults'> = async (_, { store, faults }) => {
  const removed = await store.write((tx) => tx.faults.clear());
  await faults.load();
  return { removed };
};

function present(fault: FaultRecord): Fault {
  const { delayMs, retryAfterMs, greylistMs, probability, times, hits } = fault;
  return {
    id: fault.id,
    smtp: fault.smtp,
    http: fault.http,
    webhook: fault.webhook,
    code: fault.code,
    text: fault.text,
    error: fault.error,
    delay_ms: delayMs,
    drop: fault.drop,
    truncate: fault.truncate,
    retry_after_ms: retryAfterMs,
    greylist_ms: greylistMs,
    times,
    every: fault.every,
    probability,
    seed: probability === null ? null : fault.seed,
    after_messages: fault.afterMessages,
    from: fault.sender,
    to: fault.recipient,
    match: fault.query,
    preset: fault.preset,
    workspace: fault.workspace,
    hits,
    times_left: times === null ? null : Math.max(0, times - hits),
    created_at: timestamp(fault.createdAt),
  };
}

export const faultHandlers = {
  'faults.list': listFaults,
  'faults.create': createFault,
  'faults.delete': deleteFault,
  'faults.clear': clearFaults,
} satisfies Partial<ControlHandlers>;
