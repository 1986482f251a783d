import { Link, useLocation } from 'wouter';
import { EmptyState } from '../components/empty-state.js';

export function NotFound() {
  const [path] = useLocation();
  return (
    <EmptyState title="Page not found" isPage>
      <p>
        No page matches <code>/inbox{path}</code>.
      </p>
      <p>
        <Link href="/emails">Show all emails</Link>
      </p>
    </EmptyState>
  );
}
