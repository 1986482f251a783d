import { Fragment } from 'react';
import { CopyButton } from '../../../components/copy-text.js';
import { EmptyState } from '../../../components/states.js';
import { Table } from '../../../components/table.js';
import styles from '../../../components/table.module.css';
import { LINK_KINDS, type TabProps } from '../types.js';

/** Links and one-time codes. Links open their targets directly: no click is recorded. */
export function LinksTab({ email: { links, codes } }: TabProps) {
  if (links.length === 0 && codes.length === 0) {
    return (
      <EmptyState title="No links and no codes">
        <p>The HTML and the text contain no links or one-time codes.</p>
      </EmptyState>
    );
  }
  return (
    <div className={styles.page}>
      {codes.length > 0 && (
        <Table caption="One-time codes" columns={['Code', 'Context', 'Confidence']}>
          {codes.map(({ value, context, confidence }) => (
            <tr key={value}>
              <td className={styles.keep}>
                <span className={styles.copied}>
                  <code>{value}</code> <CopyButton text={value} label={`Copy code ${value}`} />
                </span>
              </td>
              <td>{context}</td>
              <td>{Math.round(confidence * 100)}%</td>
            </tr>
          ))}
        </Table>
      )}
      {links.length > 0 && (
        <Table
          caption="Links without tracking. Opening one here records no click."
          columns={['Kind', 'Text and target', { hidden: 'Copy' }]}
        >
          {links.map(({ text, href, kind }) => (
            <tr key={`${href} ${text}`}>
              <td className={styles.keep}>{LINK_KINDS[kind]}</td>
              <td>
                {text !== href && <div>{text}</div>}
                <LinkTarget href={href} />
              </td>
              <td className={styles.last}>
                <CopyButton text={href} label={`Copy ${href}`} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}

/** A target that is not of the web, such as `javascript:`, is only shown. */
function LinkTarget({ href }: { href: string }) {
  if (!/^(?:https?|mailto|tel):/i.test(href)) return <code>{href}</code>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      <BreakableUrl url={href} />
    </a>
  );
}

/** A URL that a narrow screen breaks after a part, rather than within a word. */
function BreakableUrl({ url }: { url: string }) {
  const parts = url.split(/(?<=[/?&=])/);
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a URL never change
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
