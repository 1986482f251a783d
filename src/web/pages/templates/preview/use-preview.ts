import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { CALL_MS } from '../../../../client/time-limit.js';
import { useInbox } from '../../../api/calls.js';
import { useDelayed } from '../../../api/delayed.js';
import { untilExpiry } from '../../../api/signed-urls.js';
import type { Sample } from '../sample/use-sample.js';
import type { Content } from '../types.js';

/** Milliseconds without a change after which the preview is read. */
const PAUSE_MS = 150;

/**
 * Renders a template on the server as it is edited. Variables without a value remain as they are written. While the
 * template cannot be rendered, `data` is the last preview.
 */
export function usePreview(
  { subject, html, text }: Content,
  { values, error: invalid }: Sample,
  missing: readonly string[],
) {
  const { client } = useInbox();
  const current = useMemo(() => {
    const variables = Object.fromEntries([...Object.entries(values), ...missing.map((name) => [name, `{{${name}}}`])]);
    return { subject, html, text, variables };
  }, [subject, html, text, values, missing]);
  const body = useDelayed(current, PAUSE_MS);
  const { data, error } = useQuery({
    queryKey: ['inbox', 'inbox.preview', body],
    queryFn: ({ signal }) => client.control('inbox.preview', { body }, { signal, timeoutMs: CALL_MS }),
    enabled: invalid === undefined,
    ...untilExpiry,
    // The server keeps the newest previews only.
    gcTime: 0,
  });
  const last = useRef(data);
  if (data) last.current = data;
  return { data: data ?? last.current, error };
}
