import type { AuditEntry, LoggedRequest, SmtpSession } from '../../../contract/control/logs.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { shortened } from '../../../contract/vocabulary/text.js';
import { describeWarning } from '../../../contract/vocabulary/warnings.js';
import { timestamp } from '../../context.js';
import type {
  RequestFilter,
  RequestRecord,
  SmtpSessionRecord,
  SmtpTransaction,
  AuditEntry as StoredAuditEntry,
} from '../../model/logs.js';
import { paginate } from '../../reads.js';
import { eventStream, heartbeat, serverSentComment, serverSentEvent } from '../../streams/server-sent-events.js';
import type { ControlHandler, ControlHandlers } from './context.js';
import { refuseScoped } from './workspaces.js';

/** Implements the control API's endpoints for the request log. */

const listRequests: ControlHandler<'requests.list', 'requestLog'> = async ({ query }, { store, requestLog }) => {
  await requestLog.flush();
  return { requests: (await store.read.requests.newest(filterOf(query), query.limit)).map(presentRequest) };
};

const streamRequests: ControlHandler<'requests.stream', 'requestLog'> = async (
  { query },
  { clock, signal, requestLog },
) => {
  async function* body() {
    const wait = { signal, idle: heartbeat(clock) };
    for await (const request of requestLog.follow(filterOf(query), wait, query.after)) {
      if (!request) yield serverSentComment('ready');
      else yield serverSentEvent(JSON.stringify(presentRequest(request)), { id: request.seq, event: 'request' });
    }
  }
  return eventStream(body(), signal);
};

function filterOf({ status, path, method, all }: Partial<RequestFilter>): RequestFilter {
  return { status, path, method, all };
}

function presentRequest(request: RequestRecord): LoggedRequest {
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

/** Implements the control API's endpoints for the log of SMTP sessions. */

/** Sessions contain envelopes and messages of any workspace. */
const ACTION = 'read SMTP sessions';

const listSmtpSessions: ControlHandler<'smtp-sessions.list', 'smtpSessions'> = async (
  { query },
  { smtpSessions, key },
) => {
  refuseScoped(key, ACTION);
  return { sessions: (await smtpSessions.newest({ failed: query.failed }, query.limit)).map(presentSession) };
};

const getSmtpSession: ControlHandler<'smtp-sessions.get', 'smtpSessions'> = async (
  { params: { id } },
  { smtpSessions, key },
) => {
  refuseScoped(key, ACTION);
  const session = await smtpSessions.find(id);
  if (!session) {
    throw new ServiceError(
      'not_found',
      `SMTP session ${JSON.stringify(shortened(id))} not found. The server keeps the newest sessions only.`,
    );
  }
  return { ...presentSession(session), transcript: session.transcript };
};

const streamSmtpSessions: ControlHandler<'smtp-sessions.stream', 'smtpSessions'> = async (
  { query },
  { smtpSessions, clock, signal, key },
) => {
  refuseScoped(key, ACTION);
  async function* body() {
    const wait = { signal, idle: heartbeat(clock) };
    for await (const session of smtpSessions.follow({ failed: query.failed }, wait, query.after)) {
      if (!session) yield serverSentComment('ready');
      else yield serverSentEvent(JSON.stringify(presentSession(session)), { id: session.seq, event: 'smtp_session' });
    }
  }
  return eventStream(body(), signal);
};

function presentSession(session: SmtpSessionRecord): SmtpSession {
  const { seq, id, createdAt, capturedAt, ms, client, helo, tls, auth, ending, error } = session;
  return {
    ...{ seq, id, created_at: timestamp(createdAt), captured_at: timestamp(capturedAt), ms },
    ...{ client, helo, tls, auth, ending, failed: error !== null, error },
    transactions: session.transactions.map(presentTransaction),
    accepted: session.accepted,
    omitted_transactions: session.omittedTransactions,
  };
}

function presentTransaction(transaction: SmtpTransaction): SmtpSession['transactions'][number] {
  const { mailFrom, recipients, recipientCount, bytes, state, emailId, reply, received } = transaction;
  return {
    mail_from: mailFrom,
    rcpt_to: recipients,
    rcpt_count: recipientCount,
    ...{ bytes, state, email_id: emailId, reply, received },
  };
}

/** Implements the control API's endpoint for the audit log. */

const listAudit: ControlHandler<'audit.list'> = async ({ query }, { store }) => {
  const { items, total } = await store.read.audit.list(query);
  return { entries: items.map(presentEntry), pagination: paginate(query, total) };
};

function presentEntry(entry: StoredAuditEntry): AuditEntry {
  const { seq, createdAt, actorKind: kind, actor: name, keyId: key_id, owner, requestId: request_id } = entry;
  const { action, target, details, workspace, client } = entry;
  return {
    ...{ seq, created_at: timestamp(createdAt), actor: { kind, name, key_id, owner } },
    ...{ action, target, details, workspace, client, request_id },
  };
}

export const logHandlers = {
  'requests.list': listRequests,
  'requests.stream': streamRequests,
  'smtp-sessions.list': listSmtpSessions,
  'smtp-sessions.get': getSmtpSession,
  'smtp-sessions.stream': streamSmtpSessions,
  'audit.list': listAudit,
} satisfies Partial<ControlHandlers>;
