import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Client } from '../../../client/client.js';
import { type AttachmentInput, readAttachments } from '../../api/attachments.js';
import { useInbox } from '../../api/calls.js';
import { draftsOf } from '../../common/tab.js';
import { type Draft, draftOf, EMPTY } from './draft.js';

/** What an email is composed of. */
export interface Composed {
  draft: Draft;
  attachments: readonly AttachmentInput[];
}

/** Characters of attachments in base64 that are kept: browsers have room for about 5 million in all. */
const KEPT_CHARACTERS = 2_000_000;

const drafts = draftsOf<Draft>('compose');
const files = draftsOf<readonly AttachmentInput[]>('compose-files');

/** Reads what the form starts with: the email `from`, or an empty one. */
export function useOriginal(from: string) {
  const { client } = useInbox();
  return useQuery({
    // Not of the group `emails`: an event of the email must not replace what the user has changed.
    queryKey: ['draft', from],
    queryFn: ({ signal }) => (from === '' ? { draft: EMPTY, attachments: [] } : readEmail(client, from, signal)),
  });
}

async function readEmail(client: Client, id: string, signal: AbortSignal): Promise<Composed> {
  const email = await client.control('emails.captured', { params: { id } }, { signal });
  return { draft: draftOf(email), attachments: await readAttachments(client, id, email.attachments, signal) };
}

/** Holds what the user composes. It is kept while the tab is open, except attachments that are too large for that. */
export function useDraft(from: string, original: Composed) {
  const [draft, setDraft] = useState(() => drafts.read(from) ?? original.draft);
  const [attachments, setAttachments] = useState(() => files.read(from) ?? original.attachments);
  const [areFilesKept, setFilesKept] = useState(true);
  const isChanged = JSON.stringify(draft) !== JSON.stringify(original.draft);
  const hasOtherFiles = attachments !== original.attachments;
  useEffect(() => {
    if (isChanged) drafts.write(from, draft);
    else drafts.remove(from);
  }, [from, draft, isChanged]);
  useEffect(() => {
    if (!hasOtherFiles) return;
    const characters = attachments.reduce((sum, { content }) => sum + content.length, 0);
    const isKept = characters <= KEPT_CHARACTERS && files.write(from, attachments);
    if (!isKept) files.remove(from);
    setFilesKept(isKept);
  }, [from, attachments, hasOtherFiles]);
  return {
    draft,
    attachments,
    isChanged: isChanged || hasOtherFiles,
    areFilesKept,
    change: (some: Partial<Draft>) => setDraft((before) => ({ ...before, ...some })),
    setAttachments,
    /** Forgets what is kept. */
    forget() {
      drafts.remove(from);
      files.remove(from);
    },
  };
}

export type DraftState = ReturnType<typeof useDraft>;
