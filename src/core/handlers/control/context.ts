import type { Control, ControlOperationName } from '../../../contract/control/endpoints.js';
import type { ServerInfo } from '../../../contract/control/server.js';
import type { Handlers } from '../../../contract/endpoint.js';
import type { Right } from '../../account/authorizations.js';
import type { SimulatedDns } from '../../account/simulated-dns.js';
import type { CallContext } from '../../context.js';
import type { AttemptFeed, ServerStart } from '../../delivery/ephemeral-subscriptions.js';
import type { Faults } from '../../faults/faults.js';
import type { Previews } from '../../inbox/content-urls.js';
import type { InboxAccess } from '../../inbox/inbox-access.js';
import type { ClockController } from '../../jobs/clock-controller.js';
import type { Releases } from '../../mail/release/releases.js';
import type { ReceivedEnvelope, ReceivedMessage } from '../../model/received.js';
import type {
  CheckContent,
  ComposeMessage,
  DeliveredCopy,
  RequestLink,
  RewriteForFrame,
  ShowAsClient,
  StateArchive,
  VerifyDkim,
} from '../../ports.js';
import type { Waits } from '../../search/waits/waits.js';
import type { RequestLog, SmtpSessionLog } from '../../streams/logs.js';
import type { Transaction } from '../../transaction.js';

/** The dependencies of the control API besides the core, shared by all calls. */
export interface ControlDeps {
  /** Whether the control API is enabled. If not, it has only `health`. */
  controlEnabled: boolean;
  /** What the inbox adds to commands that it shows, such as ` --data-dir ./k`. */
  commandFlags: string;
  start: ServerStart;
  describe(): Omit<ServerInfo, 'workspace' | 'now' | 'last_event' | 'unindexed_emails'>;
  compose: ComposeMessage;
  deliveredCopy: DeliveredCopy;
  checkContent: CheckContent;
  requestLink: RequestLink;
  verifyDkim: VerifyDkim;
  readEnvelope(bytes: Uint8Array): Promise<ReceivedEnvelope>;
  /** Stores a message as SMTP does. Resolves with its ID when it is on disk. */
  accept(message: ReceivedMessage, workspace: string | null): Promise<string>;
  /** Stores a message as `accept` does, unless an import has stored one with this key. */
  importMessage(
    message: ReceivedMessage,
    workspace: string | null,
    key: string,
  ): Promise<{ id: string; added: boolean }>;
  /** Sends captured emails through a real SMTP server. */
  releases: Releases;
  archive: StateArchive;
  /** The maximum size of an unpacked archive in bytes. */
  importBytesMax: number;
  rewriteForFrame: RewriteForFrame;
  showAsClient: ShowAsClient;
  /** Sessions and signed URLs of the web inbox. */
  inbox: InboxAccess;
  /** HTML of templates that the web inbox shows while they are edited. */
  previews: Previews;
  /** Makes the server's own API key valid, and adds the domains that it was started with. */
  ensureServerState(tx: Transaction): Promise<unknown>;
  /** Null when records are looked up in a real DNS. */
  simulatedDns: SimulatedDns | null;
  clockController: ClockController;
  faults: Faults;
  requestLog: RequestLog;
  smtpSessions: SmtpSessionLog;
  waits: Waits;
  feed: AttemptFeed;
  retrySchedule: readonly number[];
  /** Enqueues the deliveries of a subscription that may have missed events. */
  catchUp(): void;
  /**
   * Runs the jobs that are due, and waits for them; for webhook attempts, until this instant of system time. Returns
   * whether it waited for all.
   */
  runDue(patientUntil: number): Promise<boolean>;
  /** Makes the webhook attempts that are due, and waits for them. */
  runDueAttempts(): Promise<void>;
  /** Takes every pending first step of the whole server, whatever the caller's key. */
  deliverPending(): Promise<void>;
  /** Fires when the server stops. */
  stopping: AbortSignal;
}

/** What every call of the control API has. */
export interface ControlCall extends CallContext {
  /**
   * Fires when the client disconnects, the server stops, or the caller's right ends. In the last case, the reason is a
   * ServiceError.
   */
  signal: AbortSignal;
  /** The right of the call. */
  right: Right;
  /** Whether the client asks for the response's head alone. */
  isHead: boolean;
  /** Checks once more that the key of the caller is valid. @throws ServiceError `unauthenticated`. */
  recheck(): Promise<void>;
}

/** The context of one call of the control API, with what all handlers need. */
export interface ControlContext extends ControlCall, ControlDeps {}

export type ControlHandlers = Handlers<Control, ControlContext>;

/** A call with some of the dependencies besides the core. */
export type CallWith<Needs extends keyof ControlDeps> = ControlCall & Pick<ControlDeps, Needs>;

/** A handler, with the dependencies besides the core that it needs. */
export type ControlHandler<Name extends ControlOperationName, Needs extends keyof ControlDeps = never> = (
  input: Parameters<ControlHandlers[Name]>[0],
  context: CallWith<Needs>,
) => ReturnType<ControlHandlers[Name]>;
