import type { Attachment } from '../../src/core/model/contents.js';
import { newEmail, type Recipient } from '../../src/core/model/emails.js';
import type { Extracts } from '../../src/core/model/search.js';
import type { Store } from '../../src/core/store.js';
import type { Transaction } from '../../src/core/transaction.js';

/** Fills a store with emails of about 1 KB for searches. The nth email is always the same. */

/** Number of emails in one transaction. */
const BATCH = 500;
export const START = Date.UTC(2026, 0, 1);

const WORDS =
  `account order password reset welcome invoice payment shipped delivery confirm verify address subscription support
  team customer thanks please click button link expires minutes hours secure login device location update preferences
  newsletter offer discount product cart checkout total amount refund ticket request status message reply regards hello
  dear monthly report summary`.split(/\s+/);

/** Returns a generator of numbers below a limit, from a seed. */
function numbers(seed: number): (limit: number) => number {
  let state = (seed * 2_654_435_761 + 1) % 2 ** 31;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}

const attachment: Attachment = {
  ...{ filename: 'invoice.pdf', contentType: 'application/pdf', contentId: null, disposition: 'attachment' },
  content: Buffer.from('x'),
};

/** Inserts emails until the store has `count`, with the extracts of their HTML, and indexes them. */
export async function fill(store: Store, from: number, count: number): Promise<void> {
  for (let first = from + 1; first <= count; first += BATCH) {
    await store.write(async (tx) => {
      for (let n = first; n < first + BATCH && n <= count; n += 1) await insert(tx, n);
    });
  }
}

function contentOf(n: number): { subject: string; text: string; extracts: Extracts } {
  const random = numbers(n);
  const words = (length: number) => Array.from({ length }, () => WORDS[random(WORDS.length)]).join(' ');
  const subject = `Your ${words(2)} #${100_000 + n}`;
  const text = `Hello user${n}, ${words(50)} order-${(n * 7_919) % 10_000_019}. ${words(30)}`;
  return { subject, text, extracts: { htmlText: text, links: [], codes: [], headers: [['Subject', subject]] } };
}

async function insert(tx: Transaction, n: number): Promise<void> {
  const { subject, text, extracts } = contentOf(n);
  const mailbox = `user${n}@example.test`;
  const status = n % 1_000 === 0 ? 'bounced' : 'delivered';
  const recipient: Recipient = { kind: 'to', address: mailbox, mailbox, status, dueAt: null, steps: null };
  const at = START + n * 1_000;
  const email = newEmail({
    ...{ id: `msg_${String(n).padStart(26, '0')}`, origin: n % 2 === 0 ? 'smtp' : 'rest', status, to: mailbox },
    ...{ from: 'Shop <shop@example.test>', fromMailbox: 'shop@example.test', subject, text },
    html: `<p>${text}</p>`,
    tags: n % 500 === 0 ? ['welcome', `run-${n}`] : n % 3 === 0 ? ['welcome'] : [],
    size: n % 10_000 === 0 ? 2_000_000 : text.length,
    ...{ createdAt: at, capturedAt: at, sentAt: at, readAt: n % 5_000 === 0 ? at : null },
  });
  await tx.emails.insert(email, [recipient], n % 2_000 === 0 ? [attachment] : [], extracts);
  await tx.events.append(
    { id: `evt_${n}`, type: 'email.sent', createdAt: at, emailId: email.id, recipient: mailbox, payload: '{}' },
    undefined,
  );
}
