import { useControl } from '../../../api/calls.js';
import { ClientDifferences } from '../../../components/html-preview/client-differences.js';
import type { ClientChoice } from '../../../components/html-preview/client-menu.js';
import { Loaded } from '../../../components/states.js';

interface Props {
  id: string;
  choice: ClientChoice;
  isDark: boolean;
}

/** What a mail client changes in a captured email. */
export function EmailDifferences({ id, choice: { client, images }, isDark }: Props) {
  const query = { client, images, color_scheme: isDark ? 'dark' : 'light' } as const;
  const view = useControl('emails.view', { params: { id }, query });
  return <Loaded query={view}>{(view) => <ClientDifferences view={view} />}</Loaded>;
}
