import type { LoggedRequest } from '../../contract/control/request-log.js';
import { describeWarning } from '../../contract/vocabulary/warnings.js';
import { timestamp } from '../context.js';
import type { RequestFilter, RequestRecord } from '../model/requests.js';
import { eventStream, heartbeat, serverSentComment, serverSentEvent } from '../streams/server-sent-events.js';
import type { ControlHandler } from './context.js';

/** Implements the control API's endpoints for the request log. */

export const listRequests: ControlHandler<'requests.list'> = async ({ query }, { store, requestLog }) => {
  await requestLog.flush();
  return { requests: (await store.read.requests.newest(filterOf(query), query.limit)).map(present) };
};

export const streamRequests: ControlHandler<'requests.stream'> = async ({ query }, { clock, signal, requestLog }) => {
  async function* body() {
    const wait = { signal, idle: heartbeat(clock) };
    for await (const request of requestLog.follow(filterOf(query), wait, query.after)) {
      if (!request) yield serverSentComment('ready');
      else yield serverSentEvent(JSON.stringify(present(request)), { id: request.seq, event: 'request' });
    }
  }
  return eventStream(body(), signal);
};

function filterOf({ status, path, method, all }: Partial<RequestFilter>): RequestFilter {
  return { status, path, method, all };
}

function present(request: RequestRecord): LoggedRequest {
  const {
    seq,
    id,
    createdAt,
    method,
    path,
    status,
    ms,
    keyId,
    userAgent,
    errorCode,
    errorMessage,
    errorDetails,
    warnings,
  } = request;
  return {
    seq,
    request_id: id,
    created_at: timestamp(createdAt),
    method,
    path,
    status,
    ms,
    key_id: keyId,
    user_agent: userAgent,
    error_code: errorCode,
    error_message: errorMessage,
    error_details: errorDetails,
    warnings: warnings.map(describeWarning),
  };
}
