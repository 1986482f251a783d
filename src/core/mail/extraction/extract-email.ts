import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import { filterAtOnce } from '../../at-once.js';
import type { Core } from '../../context.js';
import type { Extracts, UnextractedEmail } from '../../model/search.js';
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
  email: UnextractedEmail;
  extracts: Extracts;
  warnings: ServiceWarning[];
}

/**
 * Finds links, codes and header fields of an email. If that exceeds the limits of one message, they are empty, and a
 * warning has the reason.
 * @throws ProcessorUnavailableError if nothing can be processed now.
 */
export async function extractEmail(email: UnextractedEmail, deps: ExtractDeps): Promise<EmailExtracts> {
  const isComposed = email.origin === 'rest';
  const head = isComposed ? null : ((await deps.store.read.received.headOf(email.seq)) ?? null);
  const { extracts, warnings } = await contentOf(email, head, deps);
  return {
    email,
    extracts: isComposed ? { ...extracts, headers: composedFields(email, email.recipients) } : extracts,
    warnings,
  };
}

async function contentOf(
  { subject, html, text }: UnextractedEmail,
  head: Uint8Array | null,
  deps: ExtractDeps,
): Promise<{ extracts: Extracts; warnings: ServiceWarning[] }> {
  const input: ExtractInput = { subject, html, text, head };
  try {
    const { cut, failure, ...found } = await deps.extractContent(input);
    if (failure !== undefined) deps.onInternalError(new Error(`The kind of a link could not be found: ${failure}`));
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
  const set = await filterAtOnce(found, ({ email, extracts }) => tx.emails.setExtracts(email, extracts));
  for (const { email, warnings } of set) {
    for (const warning of warnings) await tx.emails.warn(email.id, warning);
  }
}

/** Returns what to store of an email whose extracts cannot be stored. */
export function withoutContent({ email }: EmailExtracts, error: unknown): EmailExtracts {
  const warnings = [missing(`The links could not be stored. ${(error as Error).message}`)];
  return { email, extracts: EMPTY, warnings };
}

const EMPTY: Extracts = { htmlText: '', links: [], codes: [], headers: [] };

/** Returns the warning that links are missing. */
export function missing(message: string): ServiceWarning {
  return { code: 'links_not_found', path: '', message };
}
