import '../styles/tokens.css';
import '../styles/base.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { PREVIEW_PATH } from '../../contract/vocabulary/inbox.js';
import { PreviewPage } from './preview-page.js';

/** The page of `svc templates dev`. */

const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY },
  },
});
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <PreviewPage />
    </QueryClientProvider>,
  );
}

// What was read before is shown until the new answer is there.
const readAgain = () => void queries.invalidateQueries();
const events = new EventSource(`${PREVIEW_PATH}/events`);
events.addEventListener('message', readAgain);
// After a start of the server, and when it has ended.
events.addEventListener('open', readAgain);
events.addEventListener('error', readAgain);
