import { useState } from 'react';
import { CopyButton } from '../../../components/copy-text.js';
import { EmptyState } from '../../../components/states.js';
import { Table } from '../../../components/table.js';
import styles from '../../../components/table.module.css';
import type { TabProps } from '../types.js';
import filterStyles from './headers-tab.module.css';

/** The header fields in their order, decoded. */
export function HeadersTab({ email: { headers } }: TabProps) {
  const [text, setText] = useState('');
  if (headers.length === 0) {
    return (
      <EmptyState title="No header fields">
        <p>They appear once the message has been read.</p>
      </EmptyState>
    );
  }
  const wanted = text.toLowerCase();
  const shown = headers
    .map((header, index) => ({ ...header, position: index }))
    .filter(({ name, value }) => `${name}: ${value}`.toLowerCase().includes(wanted));
  return (
    <div className={styles.page}>
      <div className={filterStyles.bar}>
        <input
          type="search"
          aria-label="Filter header fields"
          placeholder="Filter"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <CopyButton text={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')} label="Copy all fields" />
      </div>
      <Table columns={['Name', 'Value']}>
        {shown.map(({ name, value, position }) => (
          <tr key={position}>
            <td className={filterStyles.name}>{name}</td>
            <td>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </Table>
      {shown.length === 0 && <p className={styles.muted}>No header field contains “{text}”.</p>}
    </div>
  );
}
