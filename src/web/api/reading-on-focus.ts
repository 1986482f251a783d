import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { invalidate } from './calls.js';

/**
 * Reads these groups again whenever the view is opened and its window gets the focus. For data that commands may change
 * without an event of the server.
 */
export function useReadOnFocus(...groups: string[]): void {
  const queries = useQueryClient();
  const names = groups.join(' ');
  useEffect(() => {
    const read = () => void invalidate(queries, names.split(' '));
    read();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [queries, names]);
}
