import { matchesRecipient } from '../../../contract/recipient-pattern.js';
import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { rfc5322Date } from '../../../contract/vocabulary/instants.js';
import { relayName } from '../../../contract/vocabulary/smtp.js';
import { firstFew } from '../../../contract/vocabulary/text.js';
import type { Core } from '../../context.js';
import type { Email, Recipient } from '../../model/emails.js';
import type { ReceivedSummary, Release } from '../../model/received.js';
import { type SendOverSmtp, SmtpFailure, type SmtpTarget } from '../../outgoing-mail.js';
import type { ComposeMessage, DeliveredCopy, RelayedCopy } from '../../ports.js';
import { StoreUnavailableError } from '../../store.js';
import { messageFor } from '../recipient-message.js';

/** Keeps automatic releases from sending a message in a circle. */

/** Names the server in the Received field that a release adds. */
const OWN_MARK = '(svc release)';
/** Received fields of a message that has come a long way. RFC 5321 section 6.3 has a larger limit for mail servers. */
const HOPS_MAX = 25;

/** Returns the value of the Received field that a release adds. RFC 5321 section 4.4. */
function traceOf(emailId: string, now: number): string {
  return `by svc.localhost ${OWN_MARK} id ${emailId};\r\n\t${rfc5322Date(now)}`;
}

/** Returns why a message must not be released automatically; null if it may. `received` are its Received fields. */
function loopProblem(mailFrom: string, received: readonly string[]): string | null {
  if (mailFrom === '') return 'not released automatically: a message without a sender may be a report of a bounce';
  if (received.some((field) => field.includes(OWN_MARK))) {
    return 'not released automatically: it has been released before';
  }
  return received.length > HOPS_MAX ? `not released automatically: it has more than ${HOPS_MAX} Received fields` : null;
}

/** Sends captured emails through a real SMTP server, and records each attempt. */

export interface ReleaseDeps extends Pick<Core, 'store' | 'clock' | 'ids' | 'findHtmlLinks' | 'publicUrl'> {
  relay: Relay | null;
  /** Fires when the server stops. */
  stopping: AbortSignal;
  sendOverSmtp: SendOverSmtp;
  compose: ComposeMessage;
  deliveredCopy: DeliveredCopy;
  relayedCopy: RelayedCopy;
}

/** An attempt, to be recorded. */
export interface Attempt {
  release: Release;
  /** Why nothing was sent; null if it was, or if it must not be sent. */
  failure: SmtpFailure | null;
}

/** What an attempt is made from. */
interface Sources {
  email: Email;
  /** Undefined for an email that was not received. */
  envelope: ReceivedSummary | undefined;
  recipients: readonly Recipient[];
}

const NO_RELAY_HINT =
  'Start the server with --relay and --relay-allow, as in "svc dev --relay smtp://user@smtp.example.com".';

/** Milliseconds of system time for an attempt. The relay has ten minutes for its reply to the message alone. */
const ATTEMPT_MS = 1_800_000;

export class Releases {
  constructor(private readonly deps: ReleaseDeps) {}

  /**
   * Sends the message as it was captured. Without recipients, sends it to those of the email.
   * @throws ServiceError `conflict` without a relay, `forbidden` for a recipient that is not allowed, and `upstream` with
   * the server's reply if it accepts no recipient.
   */
  async release(email: Email, to?: readonly string[], store = this.deps.store): Promise<Release> {
    const relay = this.#relay();
    const { release, failure } = await this.#attempt(await this.#sourcesOf(email), relay, to);
    await store
      .write((tx) => tx.releases.insert(email.id, release))
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) throw error;
        if (!failure) throw notRecorded(release, error);
      });
    if (failure) throw upstreamError(relay, failure);
    return release;
  }

  /**
   * Sends the message without a request for it. The caller records the attempt. Returns null for a message that was
   * added, and not sent: an import, a seed, a report of a bounce.
   * @throws ServiceError `conflict` without a relay, and `forbidden` for a recipient that is not allowed.
   */
  async releaseAutomatically(email: Email, to: readonly string[]): Promise<Attempt | null> {
    const sources = await this.#sourcesOf(email);
    if (sources.envelope?.sessionId === null) return null;
    return this.#attempt(sources, this.#relay(), to, loopProblem);
  }

  #relay(): Relay {
    if (this.deps.relay) return this.deps.relay;
    throw new ServiceError('conflict', 'The server has no relay to release emails to.', undefined, NO_RELAY_HINT);
  }

  async #sourcesOf(email: Email): Promise<Sources> {
    const { read } = this.deps.store;
    const [envelope, recipients] = await Promise.all([
      read.received.envelopeOf(email.id),
      read.emails.recipients(email.id),
    ]);
    return { email, envelope, recipients };
  }

  async #attempt(
    sources: Sources,
    relay: Relay,
    to: readonly string[] | undefined,
    problemOf?: typeof loopProblem,
  ): Promise<Attempt> {
    const { email, envelope } = sources;
    const wanted = to ?? sources.recipients.map(({ address }) => address);
    const recipients = [...new Set(wanted.map(bare))];
    checkAllowed(relay, recipients);
    const mailFrom = envelope?.mailFrom ?? email.fromMailbox;
    const { bytes, received } = await this.#messageOf(sources);
    const problem = problemOf?.(mailFrom, received) ?? null;
    const base = { releasedAt: this.deps.clock.now(), relay: relayName(relay), mailFrom, recipients };
    if (problem !== null) return { release: { ...base, reply: null, error: problem, rejected: [] }, failure: null };
    return this.#send(relay, base, bytes);
  }

  async #messageOf({ email, recipients: [first] }: Sources): Promise<{ bytes: Uint8Array; received: string[] }> {
    // Links and pixels of tracking would count what a real recipient does.
    const untracked = { ...email, trackOpens: false, trackClicks: false };
    // The message that names a template has no body.
    const copyOf = email.origin === 'smtp' && email.templateId === null ? undefined : first?.mailbox;
    const message = await messageFor(untracked, copyOf, this.deps);
    return this.deps.relayedCopy(message, traceOf(email.id, this.deps.clock.now()));
  }

  async #send(
    relay: Relay,
    base: Pick<Release, 'releasedAt' | 'relay' | 'mailFrom' | 'recipients'>,
    bytes: Uint8Array,
  ): Promise<Attempt> {
    const { mailFrom, recipients } = base;
    try {
      const { reply, rejected } = await this.#untilEnded((signal) =>
        this.deps.sendOverSmtp(relay, { mailFrom, recipients, bytes }, signal),
      );
      return { release: { ...base, reply, error: null, rejected }, failure: null };
    } catch (failure) {
      if (!(failure instanceof SmtpFailure)) throw failure;
      const { reply, rejected } = failure;
      return { release: { ...base, reply, error: describeFailure(failure), rejected }, failure };
    }
  }

  /** Runs a task with a signal that fires when the server stops, or the time for an attempt has passed. */
  async #untilEnded<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, stopping } = this.deps;
    const limit = new AbortController();
    const late = `it took longer than ${ATTEMPT_MS / 60_000} minutes`;
    const cancel = clock.after(ATTEMPT_MS, () => limit.abort(new DOMException(late, 'TimeoutError')));
    try {
      return await task(AbortSignal.any([stopping, limit.signal]));
    } finally {
      cancel();
    }
  }
}

const STEPS: Record<SmtpFailure['step'], string> = {
  connect: 'the connection failed',
  tls: 'TLS failed',
  login: 'the login failed',
  sender: 'the sender was refused',
  recipients: 'every recipient was refused',
  content: 'the message was refused',
  ended: 'the attempt was ended',
};

const TLS_HINT =
  'Check the TLS mode of the relay, and that its certificate is valid for its host. If an authority of your own issued ' +
  'it, start the server with NODE_EXTRA_CA_CERTS=FILE, where FILE has the certificate of the authority.';

function describeFailure({ step, reply, message }: SmtpFailure): string {
  return `${STEPS[step]}: ${reply ?? message}`;
}

function upstreamError(relay: Relay, failure: SmtpFailure): ServiceError {
  return new ServiceError('upstream', `${relayName(relay)}: ${describeFailure(failure)}`, undefined, hintFor(failure));
}

function notRecorded({ relay, reply }: Release, { message, advice }: StoreUnavailableError): ServiceError {
  return new ServiceError(
    'internal',
    `${relay} accepted the message: ${reply}. The release could not be recorded: ${message}.`,
    undefined,
    ['The message was sent. Do not release it again.', ...(advice === undefined ? [] : [advice])].join(' '),
  );
}

function hintFor({ step, code, mayBeAccepted }: SmtpFailure): string {
  if (mayBeAccepted) return 'The relay may have accepted the message. Check that before you release it again.';
  if (step === 'login') return 'Check the user and the password of the relay.';
  if (step === 'tls') return TLS_HINT;
  if (step === 'connect' || step === 'ended' || (code !== null && code < 500)) return 'Try again later.';
  return 'Correct what the reply names, or release to another recipient with --to.';
}

function bare(address: string): string {
  return /<([^<>]*)>$/.exec(address)?.[1] ?? address;
}

/** The SMTP server that emails are released to, and who may receive them. */
export interface Relay extends SmtpTarget {
  /** Patterns of the recipients of a release, in which `*` matches any text. */
  allow: readonly string[];
  /** Patterns of recipients whose emails are released automatically. Each is allowed, too. */
  auto: readonly string[];
}

/** @throws ServiceError `forbidden` unless every recipient is allowed. */
function checkAllowed({ allow, auto }: Relay, recipients: readonly string[]): void {
  const patterns = [...allow, ...auto];
  const refused = recipients.filter((address) => !patterns.some((pattern) => matchesRecipient(pattern, address)));
  if (refused.length === 0) return;
  const hint =
    'Start the server with --relay-allow PATTERN, or pass other recipients with --to (to in the request). ' +
    (patterns.length === 0 ? 'No recipient is allowed by default.' : `Allowed: ${firstFew(patterns)}.`);
  const be = refused.length === 1 ? 'is' : 'are';
  throw new ServiceError(
    'forbidden',
    `${firstFew(refused)} ${be} not an allowed recipient of a release.`,
    undefined,
    hint,
  );
}
