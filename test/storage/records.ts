import type { Attachment } from '../../src/core/model/contents.js';
import type { AttemptRecord, DeliveryRecord } from '../../src/core/model/deliveries.js';
import type { Email, Recipient } from '../../src/core/model/emails.js';
import type { NewEvent } from '../../src/core/model/events.js';
import type { NewRequest, NewSmtpSession } from '../../src/core/model/logs.js';
import type {
  ApiKeyRecord,
  DomainRecord,
  FaultRecord,
  RuleRecord,
  SuppressionRecord,
  TemplateRecord,
  WebhookRecord,
} from '../../src/core/model/resources.js';
import type { Extracts, ShownContent } from '../../src/core/model/search.js';
import type { Transaction } from '../../src/core/transaction.js';

/** Creates records with a value in every field, so that a missing one is noticed. */

export const NOON = Date.UTC(2026, 4, 17, 12);

export function emailOf(id: string, over: Partial<Email> = {}): Email {
  return {
    id,
    origin: 'rest',
    status: 'sent',
    pending: 2,
    to: 'Ada <ada@example.test>, bob@example.test',
    from: 'Shop <Shop@Example.test>',
    fromMailbox: 'shop@example.test',
    subject: 'Grüße 👋',
    replyTo: 'help@example.test',
    html: '<p>é\0</p>',
    text: 'é\0\r\n',
    parseError: null,
    templateId: 'tpl_1',
    variables: { name: 'Ada', n: 1.5, yes: true, nested: [null] },
    tags: ['welcome', 'a,b'],
    addedTags: [],
    trackOpens: true,
    trackClicks: false,
    createdAt: NOON,
    capturedAt: NOON + 7,
    scheduledAt: NOON + 1,
    sentAt: NOON + 2,
    deliveredAt: NOON + 3,
    openedAt: NOON + 4,
    opensCount: 5,
    clicksCount: 6,
    bounceReason: 'mailbox full',
    workspace: 'worker-1',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    clientRequestId: 'ci/42',
    readAt: NOON + 8,
    size: 42,
    ...over,
  };
}

export function recipientOf(mailbox: string, over: Partial<Recipient> = {}): Recipient {
  return {
    kind: 'to',
    address: `Name <${mailbox}>`,
    mailbox,
    status: 'sent',
    dueAt: NOON + 5,
    steps: [{ name: 'bounce', afterMs: 0 }],
    ...over,
  };
}

/** Inserts an email with one recipient into the store. Without what is shown of it, it is not in the index. */
export async function insertEmail(
  tx: Transaction,
  id: string,
  over: Partial<Email> = {},
  shown?: ShownContent,
): Promise<void> {
  await tx.emails.insert(emailOf(id, over), [recipientOf('ada@example.test')], [], shown);
}

/** Stores what was found in an email. */
export async function setExtracts(tx: Transaction, id: string, extracts: Extracts): Promise<boolean> {
  const [document] = await tx.emails.documents([id]);
  return document !== undefined && tx.emails.setExtracts(document, extracts);
}

export const attachment: Attachment = {
  filename: 'Übersicht.pdf',
  contentType: 'application/pdf',
  contentId: 'a@b',
  disposition: 'inline',
  content: Buffer.from([0, 255, 13, 10, 0]),
};

export function eventOf(id: string, over: Partial<NewEvent> = {}): NewEvent {
  return {
    id,
    type: 'email.sent',
    createdAt: NOON,
    emailId: 'msg_1',
    recipient: 'ada@example.test',
    payload: `{"id":"${id}","emoji":"👋"}`,
    ...over,
  };
}

export function templateOf(id: string, over: Partial<TemplateRecord> = {}): TemplateRecord {
  return {
    id,
    name: `Template ${id}`,
    subject: 'Hi {{name}}',
    html: '<p>{{name}}</p>',
    text: '{{name}}',
    createdAt: NOON,
    updatedAt: NOON + 1,
    ...over,
  };
}

export function domainOf(domain: string, over: Partial<DomainRecord> = {}): DomainRecord {
  return {
    domain,
    status: 'pending',
    dkimVerified: true,
    spfVerified: false,
    dmarcVerified: true,
    verificationToken: 'token',
    dkimSelector: 'svc1',
    dkimPrivateKey: '-----BEGIN PRIVATE KEY-----',
    dkimPublicKey: 'MIIB',
    createdAt: NOON,
    ...over,
  };
}

export function apiKeyOf(id: string): ApiKeyRecord {
  return {
    id,
    name: 'CI',
    environment: 'live',
    rateLimit: 60,
    hash: `hash of ${id}`,
    workspace: 'worker-1',
    admin: true,
    createsWorkspaces: true,
    owner: 'Platform team',
    expiresAt: NOON + 1,
    createdAt: NOON,
  };
}

export function webhookOf(id: string, over: Partial<WebhookRecord> = {}): WebhookRecord {
  return {
    id,
    url: 'https://example.test/hooks',
    events: ['email.sent', 'email.bounced'],
    secret: 'whsec_1',
    active: true,
    ephemeral: false,
    recipientPattern: '*@example.test',
    headers: { 'X-Tenant': 'a' },
    workspace: 'worker-1',
    sinceSeq: 7,
    createdAt: NOON,
    updatedAt: NOON + 1,
    ...over,
  };
}

export function deliveryOf(id: string, over: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    id,
    webhookId: 'whk_1',
    eventSeq: 1,
    url: 'https://example.test/hooks',
    state: 'pending',
    attempts: 0,
    createdAt: NOON,
    nextAttemptAt: NOON,
    replayOf: null,
    ...over,
  };
}

export function attemptOf(deliveryId: string, attempt: number, over: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    deliveryId,
    attempt,
    startedAt: NOON,
    durationMs: 12,
    requestHeaders: { 'Content-Type': 'application/json' },
    status: 503,
    responseHeaders: { server: 'x' },
    responseBody: 'busy',
    error: null,
    fault: null,
    ...over,
  };
}

export function suppressionOf(mailbox: string, over: Partial<SuppressionRecord> = {}): SuppressionRecord {
  return { mailbox, reason: 'hard_bounce', emailId: 'msg_1', workspace: null, createdAt: NOON, ...over };
}

export function faultOf(id: string, over: Partial<FaultRecord> = {}): FaultRecord {
  return {
    id,
    smtp: 'end',
    http: 'POST /v1/emails',
    webhook: 'https://a.test/*',
    code: 451,
    text: '4.7.1 Later',
    error: 'upstream_error',
    delayMs: 500,
    drop: 'after',
    truncate: true,
    retryAfterMs: 1_000,
    greylistMs: 300_000,
    times: 2,
    every: 3,
    probability: 0.5,
    seed: 7,
    afterMessages: 10,
    sender: '*@a.test',
    recipient: '*@b.test',
    query: 'subject:hi',
    preset: 'greylist',
    seen: 0,
    hits: 0,
    workspace: null,
    createdAt: NOON,
    ...over,
  };
}

export function ruleOf(id: string, over: Partial<RuleRecord> = {}): RuleRecord {
  return {
    id,
    pattern: '*@example.test',
    outcome: 'bounced',
    bounceType: 'hard',
    complaintType: 'fraud',
    dropReason: 'suppressed',
    reason: 'no such user',
    delayMs: 500,
    times: 2,
    used: 0,
    workspace: null,
    createdAt: NOON,
    ...over,
  };
}

export function requestOf(id: string, over: Partial<NewRequest> = {}): NewRequest {
  return {
    id,
    createdAt: NOON,
    method: 'GET',
    path: '/v1/emails',
    status: 200,
    ms: 1.25,
    keyId: 'key_1',
    userAgent: 'app/1',
    errorCode: null,
    errorMessage: null,
    errorDetails: [],
    warnings: [],
    ...over,
  };
}

export function smtpSessionOf(id: string, over: Partial<NewSmtpSession> = {}): NewSmtpSession {
  return {
    id,
    createdAt: NOON,
    capturedAt: NOON + 1,
    ms: 12,
    client: { address: '127.0.0.1', port: 40_000 },
    helo: 'app.test',
    tls: { version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
    auth: { mechanism: 'PLAIN', username: null, accepted: false },
    ending: 'quit',
    error: null,
    transactions: [
      {
        mailFrom: 'a@app.test',
        recipients: ['b@app.test'],
        recipientCount: 1,
        bytes: 5,
        state: 'refused',
        emailId: null,
        reply: '550 5.7.1 no',
        received: 'Hello',
      },
    ],
    accepted: 2,
    omittedTransactions: 0,
    transcript: [{ ms: 1, from: 'server', text: '220 svc' }],
    ...over,
  };
}
