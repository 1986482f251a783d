import { searchForm } from '../../contract/vocabulary/text.js';
import type { RecipientKind } from '../model/emails.js';
import type { SearchDocument } from '../model/search.js';

/** A text to search in, as it is and in the form in which searches compare texts. */
export class SearchedText {
  #folded: string | undefined;

  constructor(readonly raw: string) {}

  get folded(): string {
    this.#folded ??= searchForm(this.raw).trim();
    return this.#folded;
  }
}

/** An address with its name, and its mailbox. */
export interface SearchedAddress {
  text: SearchedText;
  mailbox: SearchedText;
}

/** The texts of one email. Each is prepared once, when a query first needs it, for all queries that test the email. */
export class SearchedEmail {
  static readonly #known = new WeakMap<SearchDocument, SearchedEmail>();

  static of(document: SearchDocument): SearchedEmail {
    let email = SearchedEmail.#known.get(document);
    if (!email) {
      email = new SearchedEmail(document);
      SearchedEmail.#known.set(document, email);
    }
    return email;
  }

  readonly #texts = new Map<string, SearchedText[]>();
  readonly #addresses = new Map<string, SearchedAddress[]>();

  private constructor(readonly document: SearchDocument) {}

  /** Whether `content` has the HTML as text, or the email has no HTML. */
  get hasAllContent(): boolean {
    return this.document.extracts !== undefined || !this.document.hasHtml;
  }

  /** The plain text, and the HTML as text. */
  get content(): SearchedText[] {
    return this.#prepared('content', ({ text, hasHtml, extracts }) =>
      hasHtml && extracts ? [text, extracts.htmlText] : [text],
    );
  }

  get subject(): SearchedText[] {
    return this.#prepared('subject', ({ subject }) => [subject]);
  }

  get attachments(): SearchedText[] {
    return this.#prepared('attachments', ({ attachments }) => attachments);
  }

  get tags(): SearchedText[] {
    return this.#prepared('tags', ({ tags }) => tags);
  }

  get id(): SearchedText[] {
    return this.#prepared('id', ({ id }) => [id]);
  }

  get template(): SearchedText[] {
    return this.#prepared('template', ({ templateId }) => (templateId === null ? [] : [templateId]));
  }

  get workspace(): SearchedText[] {
    return this.#prepared('workspace', ({ workspace }) => (workspace === null ? [] : [workspace]));
  }

  /** The texts that free text searches, without the content: subject, addresses with their names, and file names. */
  get heads(): SearchedText[] {
    return this.#prepared('heads', ({ subject, from, replyTo, recipients, attachments }) => [
      subject,
      from,
      ...(replyTo === null ? [] : [replyTo]),
      ...recipients.map(({ address }) => address),
      ...attachments,
    ]);
  }

  /** The Message-ID without its angle brackets; undefined until the header fields are found. */
  get messageIds(): SearchedText[] | undefined {
    const headers = this.header('message-id');
    return headers && this.#prepared('message-id', () => headers.map(({ raw }) => raw.trim().replace(/^<|>$/g, '')));
  }

  /** The values of the header fields with this name, which is in lower case; undefined until they are found. */
  header(name: string): SearchedText[] | undefined {
    const headers = this.document.extracts?.headers;
    return (
      headers &&
      this.#prepared(`header ${name}`, () =>
        headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value),
      )
    );
  }

  get sender(): SearchedAddress[] {
    return this.#preparedAddresses('from', ({ from, fromMailbox }) => [{ address: from, mailbox: fromMailbox }]);
  }

  recipients(kind: RecipientKind): SearchedAddress[] {
    return this.#preparedAddresses(kind, ({ recipients }) => recipients.filter((each) => each.kind === kind));
  }

  get allRecipients(): SearchedAddress[] {
    return this.#preparedAddresses('recipient', ({ recipients }) => recipients);
  }

  get dropped(): SearchedAddress[] {
    return this.#preparedAddresses('dropped', ({ recipients }) =>
      recipients.filter(({ status }) => status === 'dropped'),
    );
  }

  #prepared(name: string, read: (document: SearchDocument) => readonly string[]): SearchedText[] {
    let texts = this.#texts.get(name);
    if (!texts) {
      texts = read(this.document).map((text) => new SearchedText(text));
      this.#texts.set(name, texts);
    }
    return texts;
  }

  #preparedAddresses(
    name: string,
    read: (document: SearchDocument) => { address: string; mailbox: string }[],
  ): SearchedAddress[] {
    let addresses = this.#addresses.get(name);
    if (!addresses) {
      addresses = read(this.document).map(({ address, mailbox }) => ({
        text: new SearchedText(address),
        mailbox: new SearchedText(mailbox),
      }));
      this.#addresses.set(name, addresses);
    }
    return addresses;
  }
}
