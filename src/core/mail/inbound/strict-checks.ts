import { normalizeAddress } from '../../../contract/vocabulary/parsers/address.js';
import { type ServiceWarning, warningForms } from '../../../contract/vocabulary/warnings.js';
import type { Core } from '../../context.js';
import type { ReceivedEnvelope } from '../../model/received.js';
import type { ParsedMessage } from '../../ports.js';
import { unverifiedDomain } from '../../resources/sending-domain.js';
import { messageWarnings, refusalAt, unusualDomains } from './message-warnings.js';
import { type RequestedBySender, readRequested, renderRequested } from './service-headers.js';

/**
 * Finds what a strict server refuses over SMTP. Gap 40.
 */
export class StrictChecks {
  constructor(private readonly deps: Pick<Core, 'store' | 'clock' | 'warningTally'>) {}

  /** Returns the first finding about the sender of an envelope. A bounce message has none. */
  async sender(address: string, announced: readonly ServiceWarning[]): Promise<ServiceWarning[]> {
    const [found] = [...announced, ...unusualDomains({ mailFrom: address, recipients: [] })];
    if (found || address === '') return this.#refused(found ? [found] : []);
    // smtp-server converts the domain to Unicode, and domains are stored in ASCII.
    const domain = await unverifiedDomain(normalizeAddress(address), this.deps.store.read.domains);
    return this.#refused(domain ? [domain] : []);
  }

  recipient(address: string, announced: readonly ServiceWarning[]): ServiceWarning[] {
    return this.#refused([...announced, ...unusualDomains({ mailFrom: '', recipients: [address] })].slice(0, 1));
  }

  /** Returns the findings about a message. One that is not parsed in time has only the fields of its header. */
  async message(envelope: ReceivedEnvelope, parsed: ParsedMessage): Promise<ServiceWarning[]> {
    return this.#refused(await this.#findings(envelope, parsed));
  }

  /** Counts the reasons of a refusal for the report. */
  #refused(found: ServiceWarning[]): ServiceWarning[] {
    const { clock, warningTally } = this.deps;
    for (const warning of found) warningTally.record(warning, refusalAt(clock.now()), () => null);
    return found;
  }

  async #template(requested: RequestedBySender, { content }: ParsedMessage): Promise<ServiceWarning[]> {
    const { templateId } = requested;
    if (templateId === null) return [];
    return renderRequested(requested, content, await this.deps.store.read.templates.find(templateId)).warnings;
  }

  async #findings(envelope: ReceivedEnvelope, parsed: ParsedMessage): Promise<ServiceWarning[]> {
    const { store, clock } = this.deps;
    const requested = readRequested(parsed.service, parsed.content, clock.now());
    const all = [
      ...messageWarnings(envelope, parsed),
      ...requested.warnings,
      ...(await this.#template(requested, parsed)),
    ];
    const found = all.filter(({ code }) => warningForms[code].strict !== null);
    const { fromMailbox } = parsed.content;
    const domain = fromMailbox === '' ? undefined : await unverifiedDomain(fromMailbox, store.read.domains);
    return domain ? [domain, ...found] : found;
  }
}
