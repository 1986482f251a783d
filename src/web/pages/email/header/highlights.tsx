import { Link2 } from 'lucide-react';
import { certainCodes, mainLink } from '../../../../client/checks/best-parts.js';
import { CopyButton } from '../../../components/copy-text.js';
import { LINK_KINDS } from '../link-kinds.js';
import type { EmailDetails } from '../types.js';
import styles from './highlights.module.css';

function linkLabel({ kind, text, href }: EmailDetails['links'][number]): string {
  const name = LINK_KINDS[kind];
  return text.toLowerCase().includes(name.toLowerCase()) ? text : `${name}: ${text || href}`;
}

const CODES_SHOWN = 3;

/** What a test usually needs of an email: its one-time code, and its link to verify, reset or sign in. */
export function Highlights({ email: { codes, links } }: { email: EmailDetails }) {
  const shown = certainCodes(codes).slice(0, CODES_SHOWN);
  const link = mainLink(links);
  if (shown.length === 0 && !link) return null;
  return (
    <ul className={styles.list} aria-label="Codes and links">
      {shown.map(({ value, context }) => (
        <li key={value} title={context}>
          <span className={styles.label}>Code</span>
          <code>{value}</code>
          <CopyButton text={value} label={`Copy code ${value}`} />
        </li>
      ))}
      {link && (
        <li>
          <Link2 size={16} aria-hidden />
          <a href={link.href} target="_blank" rel="noopener noreferrer">
            {linkLabel(link)}
          </a>
          <CopyButton text={link.href} label="Copy link" />
        </li>
      )}
    </ul>
  );
}
