import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Client } from '../../../client/client.js';
import { CALL_MS } from '../../../client/time-limit.js';
import { readCursor } from '../../../contract/vocabulary/since.js';
import { useControl, useInbox } from '../../api/calls.js';
import { useHasPassed } from '../../api/delayed.js';
import { describeFailure, isNotFound } from '../../api/failures.js';
import { Button } from '../../components/button.js';
import { EmptyState, FailureView, Loading } from '../../components/states.js';
import styles from '../emails/email-page.module.css';
import { EmailHeader } from './header/email-header.js';
import type { EmailActions } from './list/use-email-actions.js';
import { Tabs } from './tabs/tabs.js';
import { TextBeginning } from './tabs/text-tab.js';
import type { EmailDetails } from './types.js';
import { useTextBeginning } from './use-bytes.js';

interface Props {
  id: string;
  tab: string | undefined;
  /** The part of addresses that keeps the search. */
  suffix: string;
  actions: EmailActions;
  /** Shows the list, at this email unless at another one. */
  onClose(at?: string): void;
  previous: string | undefined;
  next: string | undefined;
  position: ListPosition;
}

export function EmailPage({ id, tab, suffix, ...header }: Props) {
  const inspection = useControl('emails.inspect', { params: { id } });
  const content = useControl('emails.captured', { params: { id } });
  const error = inspection.error ?? content.error;
  const retry = () => void Promise.all([inspection.refetch(), content.refetch()]);
  // An email may be deleted while it is open.
  if (isNotFound(error)) return <Deleted onClose={() => header.onClose()} />;
  if (inspection.data && content.data) {
    return <Opened email={{ ...content.data, ...inspection.data }} tab={tab} suffix={suffix} {...header} />;
  }
  return (
    <>
      <h1 className="visually-hidden">Email</h1>
      {error ? <FailureView {...describeFailure(error)} onRetry={retry} /> : <Beginning id={id} />}
    </>
  );
}

const PATIENCE_MS = 100;

/** The beginning of the text, while the rest of a large email is on its way. */
function Beginning({ id }: { id: string }) {
  const text = useTextBeginning(id, useHasPassed(PATIENCE_MS));
  return text.data ? <TextBeginning text={text.data} /> : <Loading />;
}

function Opened({ email, tab, suffix, position, ...header }: Omit<Props, 'id'> & { email: EmailDetails }) {
  const { markOne } = header.actions;
  const [frameUrl, setFrameUrl] = useState<string>();
  const isUnread = !email.read;
  useListPosition(email.cursor, position);
  // biome-ignore lint/correctness/useExhaustiveDependencies: marks once when it opens, so that "mark as unread" lasts
  useEffect(() => {
    if (isUnread) markOne(email.id, true);
  }, [email.id]);
  return (
    <article className={styles.email}>
      <EmailHeader email={email} suffix={suffix} frameUrl={frameUrl} {...header} />
      <Tabs email={email} tab={tab} suffix={suffix} onFrame={setFrameUrl} />
    </article>
  );
}

function Deleted({ onClose }: { onClose(): void }) {
  return (
    <EmptyState title="Email not found" isPage>
      <p>This email was deleted, or it never existed on this server.</p>
      <Button onClick={onClose}>Show all emails</Button>
    </EmptyState>
  );
}

export interface ListPosition {
  search: string;
  /** The cursor of the first email of the list; undefined unless the position is needed. */
  newest: string | undefined;
  onFound(index: number): void;
}

/** Finds the position of an email that was opened by its address, so that j and k reach its neighbors in a long list. */
export function useListPosition(cursor: string, { search, newest, onFound }: ListPosition): void {
  const { client } = useInbox();
  const { data } = useQuery({
    queryKey: ['list-position', search, cursor],
    queryFn: ({ signal }) => findPosition(client, search, numberOf(cursor), numberOf(newest), signal),
    enabled: newest !== undefined,
    gcTime: 0,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new position is reported
  useEffect(() => {
    if (typeof data === 'number') onFound(data);
  }, [data]);
}

const numberOf = (cursor: string | undefined) => readCursor(cursor ?? '') ?? 0;

/**
 * Returns the index of the first email that is not newer than this number; null if the search stops before it. At most
 * one email has each number, so the first guess is right unless emails were deleted or do not match.
 */
async function findPosition(client: Client, search: string, number: number, newest: number, signal: AbortSignal) {
  let low = 0;
  let high = Math.max(0, newest - number);
  for (let offset = high; low < high; offset = Math.floor((low + high) / 2)) {
    const call = { query: { search, limit: 1, offset } };
    const { emails, next } = await client.control('emails.search', call, { signal, timeoutMs: CALL_MS });
    const found = numberOf(emails[0]?.cursor);
    if (found === 0 && next !== null) return null;
    if (found === number) return offset;
    if (found > number) low = offset + 1;
    else high = offset;
  }
  return high;
}
