import { useMemo, useState } from 'react';
import { Button } from '../../../components/button.js';
import { formatCount, formatSize } from '../../../components/format.js';
import { Loaded } from '../../../components/loaded.js';
import type { TabProps } from '../types.js';
import { useRawMessage } from '../use-bytes.js';
import { countParts, firstParts, type MimePart, readMimeTree } from './mime-tree.js';
import styles from './structure-tab.module.css';

/** Number of parts to show at first: a message may have a thousand. */
const SHOWN = 100;

/** The MIME tree of the message. */
export function StructureTab({ email: { id } }: TabProps) {
  const message = useRawMessage(id);
  return <Loaded query={message}>{(bytes) => <Tree bytes={bytes} />}</Loaded>;
}

function Tree({ bytes }: { bytes: Uint8Array }) {
  const tree = useMemo(() => readMimeTree(new TextDecoder('latin1').decode(bytes)), [bytes]);
  const count = useMemo(() => countParts(tree), [tree]);
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <ul className={styles.tree} aria-label="MIME parts">
        <Part part={isWhole ? tree : firstParts(tree, SHOWN)} />
      </ul>
      {!isWhole && count > SHOWN && (
        <div className={styles.more}>
          <Button onClick={() => setWhole(true)}>Show all {formatCount(count)} parts</Button>
        </div>
      )}
    </>
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
