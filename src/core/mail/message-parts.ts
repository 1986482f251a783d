import { isStored, type NewAttachment, type StoredContent } from '../model/contents.js';
import type { ParsedMessage } from '../ports.js';
import { isLarge, type LargeContents } from './inbound/large-contents.js';

/** The parts of a parsed message that may be large, in the form in which the store inserts them. */
export interface MessageParts {
  text: string | StoredContent;
  html: string | StoredContent;
  attachments: NewAttachment[];
}

/**
 * Stores the large parts of a message, then runs `work` with all parts and with references to the stored ones.
 * @throws StoreUnavailableError if a part cannot be written.
 */
export function withStoredParts<T>(
  contents: LargeContents,
  { content: { text, html }, attachments }: ParsedMessage,
  work: (parts: MessageParts, stored: StoredContent[]) => Promise<T>,
): Promise<T> {
  const bodies = [text, html].map((body) => Buffer.from(isLarge(body) ? body : ''));
  return contents.use([...bodies, ...attachments.map(({ content }) => content)], (inserted) => {
    const [storedText, storedHtml, ...rest] = inserted;
    const parts = {
      text: storedText && isStored(storedText) ? storedText : text,
      html: storedHtml && isStored(storedHtml) ? storedHtml : html,
      attachments: attachments.map((each, index) => ({ ...each, content: rest[index] ?? each.content })),
    };
    return work(parts, inserted.filter(isStored));
  });
}

/** Returns the parts of a message without large ones. */
export function partsOf({ content: { text, html }, attachments }: ParsedMessage): MessageParts {
  return { text, html, attachments };
}
