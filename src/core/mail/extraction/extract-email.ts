import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { Core } from '../../context.js';
import type { Email } from '../../model/emails.js';
import type { Extracts } from '../../model/search.js';
import { type ExtractContent, type ExtractInput, isTemporary, UnprocessableError } from '../../ports.js';
import type { Transaction } from '../../transaction.js';
import { composedFields } from './header-fields.js';
import { untracked } from './untracked-links.js';

export interface ExtractDeps extends Pick<Core, 'store' | 'ids' | 'findHtmlLinks'> {
  extractContent: ExtractContent;
  onInternalError(error: unknown): void;
}

/** What is found in an email, to be stored. */
export interface EmailExtracts {
  id: string;
  seq: number;
  extracts: Extracts;
  warnings: ServiceWarning[];
}

/**
 * Finds links, codes and header fields of an email. If that exceeds the limits of one message, they are empty, and a
 * warning has the reason. Returns undefined if the email does not exist or is not parsed yet.
 * @throws ProcessorUnavailableError if nothing can be processed now.
 */
export async function extractEmail(id: string, deps: ExtractDeps): Promise<EmailExtracts | undefined> {
  const { read } = deps.store;
  const { seq, isParsed } = (await read.emails.extraction(id)) ?? {};
  const email = isParsed ? await read.emails.find(id) : undefined;
  if (!email || seq === undefined) return undefined;
  const recipients = email.origin === 'rest' ? await read.emails.recipients(id) : [];
  const head = email.origin === 'smtp' ? ((await read.received.headOf(seq)) ?? null) : null;
  const { extracts, warnings } = await contentOf(email, head, deps);
  const headers = email.origin === 'rest' ? composedFields(email, recipients) : extracts.headers;
  return { id, seq, extracts: { ...extracts, headers }, warnings };
}

async function contentOf(
  { subject, html, text }: Email,
  head: Uint8Array | null,
  deps: ExtractDeps,
): Promise<{ extracts: Extracts; warnings: ServiceWarning[] }> {
  const input: ExtractInput = { subject, html, text, head };
  try {
    const { cut, ...found } = await deps.extractContent(input);
    const extracts = { ...found, links: await untracked(found.links, deps) };
    const message = `The email has more links than the first ${found.links.length}, which are considered.`;
    return { extracts, warnings: cut ? [missing(message)] : [] };
  } catch (error) {
    if (isTemporary(error)) throw error;
    // Another error is a bug of svc, and would also fail the next time.
    if (!(error instanceof UnprocessableError)) deps.onInternalError(error);
    return { extracts: EMPTY, warnings: [missing(`The links could not be found. ${(error as Error).message}`)] };
  }
}

/** Writes extracts, unless they were written meanwhile or the email no longer exists. */
export async function insertExtracts(tx: Transaction, found: readonly EmailExtracts[]): Promise<void> {
  for (const { id, seq, extracts, warnings } of found) {
    const current = await tx.emails.extraction(id);
    if (current?.seq !== seq || current.extracts) continue;
    await tx.emails.setExtracts(seq, extracts);
    for (const warning of warnings) await tx.emails.warn(id, warning);
  }
}

/** Returns what to store of an email whose extracts cannot be stored. */
export function withoutContent({ id, seq }: EmailExtracts, error: unknown): EmailExtracts {
  return {
    id,
    seq,
    extracts: EMPTY,
    warnings: [missing(`The links could not be stored. ${(error as Error).message}`)],
  };
}

const EMPTY: Extracts = { htmlText: '', links: [], codes: [], headers: [] };

/** Returns the warning that links are missing. */
export function missing(message: string): ServiceWarning {
  return { code: 'links_not_found', path: '', message };
}
