import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** Fills a view that has nothing to show, and shows the next step. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
