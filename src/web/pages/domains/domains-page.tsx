import { useParams } from 'wouter';
import { useReadOnFocus } from '../../api/reading-on-focus.js';
import { DomainList } from './domain-list.js';
import { DomainView } from './domain-view.js';

/** The sending domains, or one of them. */
export function DomainsPage() {
  const { domain } = useParams<{ domain?: string }>();
  useReadOnFocus('domains', 'dns');
  return domain === undefined ? <DomainList /> : <DomainView key={domain} name={domain} />;
}
