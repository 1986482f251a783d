import { ServiceError } from '../../../contract/vocabulary/errors.js';
import type { Core } from '../../context.js';
import type { Email } from '../../model/emails.js';
import type { Release } from '../../model/releases.js';
import { type SendOverSmtp, SmtpFailure } from '../../outgoing-mail.js';
import type { ComposeMessage, DeliveredCopy } from '../../ports.js';
import { messageFor } from '../recipient-message.js';
import { checkAllowed, type Relay, relayName } from './relay.js';

/** Sends captured emails through a real SMTP server, and records each attempt. */

export interface ReleaseDeps extends Pick<Core, 'store' | 'clock' | 'ids' | 'findHtmlLinks' | 'publicUrl'> {
  relay: Relay | null;
  sendOverSmtp: SendOverSmtp;
  compose: ComposeMessage;
  deliveredCopy: DeliveredCopy;
}

const NO_RELAY_HINT =
  'Start the server with --relay and --relay-allow, as in "svc dev --relay smtp://user@smtp.example.com".';

export class Releases {
  constructor(private readonly deps: ReleaseDeps) {}

  /**
   * Sends the message as it was captured. Without recipients, sends it to those of the email.
   * @throws ServiceError `conflict` without a relay, `forbidden` for a recipient that is not allowed, and `upstream` with
   * the server's reply if it accepts no recipient.
   */
  async release(email: Email, to?: readonly string[]): Promise<Release> {
    const { relay, store } = this.deps;
    if (!relay)
      throw new ServiceError('conflict', 'The server has no relay to release emails to.', undefined, NO_RELAY_HINT);
    const recipients = to ?? (await store.read.emails.recipients(email.id)).map(({ address }) => address);
    const unique = [...new Set(recipients.map(bare))];
    checkAllowed(relay, unique);
    const result = await this.#send(email, unique, relay);
    await store.write((tx) => tx.releases.insert(email.id, result.release));
    if (result.failure) throw upstreamError(relay, result.failure);
    return result.release;
  }

  async #send(email: Email, recipients: string[], relay: Relay): Promise<{ release: Release; failure?: SmtpFailure }> {
    const { clock, sendOverSmtp, store } = this.deps;
    // Links and pixels of tracking would count what a real recipient does.
    const untracked = { ...email, trackOpens: false, trackClicks: false };
    const [first] = await store.read.emails.recipients(email.id);
    // The message that names a template has no body.
    const copyOf = email.origin === 'smtp' && email.templateId === null ? undefined : first?.mailbox;
    const bytes = await messageFor(untracked, copyOf, this.deps);
    const mailFrom = (await store.read.received.envelopeOf(email.id))?.mailFrom ?? email.fromMailbox;
    const attempt = { releasedAt: clock.now(), relay: relayName(relay), mailFrom, recipients };
    try {
      const { reply, rejected } = await sendOverSmtp(relay, { mailFrom, recipients, bytes });
      return { release: { ...attempt, reply, error: null, rejected } };
    } catch (failure) {
      if (!(failure instanceof SmtpFailure)) throw failure;
      const error = describeFailure(failure);
      return { release: { ...attempt, reply: failure.reply, error, rejected: [] }, failure };
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
};

function describeFailure({ step, reply, message }: SmtpFailure): string {
  return `${STEPS[step]}: ${reply ?? message}`;
}

function upstreamError(relay: Relay, failure: SmtpFailure): ServiceError {
  return new ServiceError('upstream', `${relayName(relay)}: ${describeFailure(failure)}`, undefined, hintFor(failure));
}

function hintFor({ step, code }: SmtpFailure): string {
  if (step === 'login') return 'Check the user and the password of the relay.';
  if (step === 'tls') return 'Check the TLS mode of the relay, and that its certificate is valid for its host.';
  if (step === 'connect' || (code !== null && code < 500)) return 'Try again later.';
  return 'Correct what the reply names, or release to another recipient with --to.';
}

function bare(address: string): string {
  return /<([^<>]*)>$/.exec(address)?.[1] ?? address;
}
