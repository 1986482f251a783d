import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface Props {
  title: string;
  /** Whether it is all of the page, so that its title is that of the page. */
  isPage?: boolean;
  children?: ReactNode;
}

/** Fills a view that has nothing to show, and shows the next step. */
export function EmptyState({ title, isPage = false, children }: Props) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      <Heading className={styles.title}>{title}</Heading>
      {children}
    </div>
  );
}
