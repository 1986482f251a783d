import { useMemo } from 'react';
import { describeFailure } from '../../../api/failures.js';
import { FailureView } from '../../../components/failure-view.js';
import { formatSize } from '../../../components/format.js';
import { Loading } from '../../../components/loading.js';
import type { TabProps } from '../types.js';
import { useRawMessage } from '../use-bytes.js';
import { type MimePart, readMimeTree } from './mime-tree.js';
import styles from './structure-tab.module.css';

/** The MIME tree of the message. */
export function StructureTab({ email: { id } }: TabProps) {
  const { data, error, refetch } = useRawMessage(id);
  const tree = useMemo(() => data && readMimeTree(new TextDecoder('latin1').decode(data)), [data]);
  if (error) return <FailureView {...describeFailure(error)} onRetry={() => void refetch()} />;
  if (!tree) return <Loading />;
  return (
    <ul className={styles.tree} aria-label="MIME parts">
      <Part part={tree} />
    </ul>
  );
}

function Part({ part }: { part: MimePart }) {
  const { path, type, details, encoding, disposition, contentId, size, parts } = part;
  return (
    <li>
      <div className={styles.part}>
        <span className={styles.path}>{path}</span>
        <code className={styles.type}>{type}</code>
        <span className={styles.size}>{formatSize(size)}</span>
        <span className={styles.details}>
          {[encoding, disposition, contentId, ...details].filter(Boolean).join(' · ')}
        </span>
      </div>
      {parts.length > 0 && (
        <ul>
          {parts.map((each) => (
            <Part key={each.path} part={each} />
          ))}
        </ul>
      )}
    </li>
  );
}
