import { matchesRecipient } from '../../contract/recipient-pattern.js';
import type { FaultStage } from '../../contract/vocabulary/faults/faults.js';
import { matchesRequest, readHttpTarget } from '../../contract/vocabulary/faults/http-target.js';
import { matchesParts } from '../../contract/vocabulary/text.js';
import type { FaultRecord } from '../model/resources.js';
import type { SearchDocument } from '../model/search.js';

/** Defines where a fault can be injected, and which faults apply there. */

/** What a fault of a workspace applies to: null for what belongs to none. */
interface Owned {
  workspace: string | null;
}

interface Mail extends Owned {
  /** The mailbox of the sender; undefined where it is not known. */
  from?: string | undefined;
  /** The mailboxes of the recipients; at RCPT, that of the command. */
  to?: readonly string[] | undefined;
  /**
   * Returns the email, with links, codes and header fields if `withExtracts` is set. Undefined if it cannot be read.
   */
  document?(withExtracts: boolean): Promise<SearchDocument | undefined>;
}

/** A stage of an SMTP session. */
export interface SmtpPoint extends Mail {
  smtp: FaultStage;
  /** The address of the client. */
  client: string;
  /** Number of messages that the connection has sent before. */
  messages: number;
}

/** A request to the service. */
export interface HttpPoint extends Mail {
  method: string;
  path: string;
}

/** A webhook attempt. */
interface WebhookPoint extends Owned {
  url: string;
}

export type FaultPoint = SmtpPoint | HttpPoint | WebhookPoint;

/** Returns whether a fault applies to a point, before its query and its numbers are considered. */
export function appliesTo(fault: FaultRecord, point: FaultPoint): boolean {
  if (fault.workspace !== point.workspace) return false;
  if ('url' in point) return fault.webhook !== null && matchesUrl(fault.webhook, point.url);
  if (!isAt(fault, point)) return false;
  const { sender, recipient } = fault;
  if (sender !== null && (point.from === undefined || !matchesRecipient(sender, point.from))) return false;
  return recipient === null || (point.to ?? []).some((mailbox) => matchesRecipient(recipient, mailbox));
}

function isAt(fault: FaultRecord, point: SmtpPoint | HttpPoint): boolean {
  if ('smtp' in point) return fault.smtp === point.smtp && point.messages >= (fault.afterMessages ?? 0);
  const target = fault.http === null ? undefined : readHttpTarget(fault.http);
  return target !== undefined && matchesRequest(target, point.method, point.path);
}

function matchesUrl(pattern: string, url: string): boolean {
  return pattern.includes('*') ? matchesParts(pattern.split('*'), url) : pattern === url;
}
