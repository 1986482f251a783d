import { INJECTED } from '../../contract/vocabulary/faults/forms.js';
import { describeTimeout } from '../../contract/vocabulary/helpers/webhook-response.js';
import type { FaultRecord } from '../model/faults.js';
import type { Post, PostRequest, PostResult } from '../ports.js';
import type { Faults } from './faults.js';

/** Returns a function that posts as `post` does, except where a fault is injected. */
export function faultyPost(post: Post, faults: Faults): Post {
  return async (request) => {
    const fault = faults.any ? await faults.take(request) : undefined;
    if (!fault) return post(request);
    request.onFault?.(fault.id);
    return injected(fault, request, post, faults);
  };
}

async function injected(fault: FaultRecord, request: PostRequest, post: Post, faults: Faults): Promise<PostResult> {
  const { delayMs, code, text, drop } = fault;
  const { timeoutMs, signal } = request;
  // A clock that is moved waits for no receiver.
  if (delayMs !== null && !faults.deps.clock.moving) await faults.wait(Math.min(delayMs, timeoutMs), signal);
  const left = timeoutMs - (delayMs ?? 0);
  if (left <= 0) return failed(`${describeTimeout(timeoutMs)} ${INJECTED}`);
  if (code !== null) return { status: code, headers: {}, body: `${text ?? ''} ${INJECTED}`.trim(), error: null };
  if (drop === 'before') return failed(`connection closed ${INJECTED}`);
  const result = await post({ ...request, timeoutMs: left });
  // The receiver has processed the request, and its response is lost.
  return drop === 'after' ? failed(`connection closed after the receiver's response ${INJECTED}`) : result;
}

function failed(error: string): PostResult {
  return { status: null, headers: {}, body: '', error };
}
