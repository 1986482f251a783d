import type { ReactNode } from 'react';
import styles from './section.module.css';

interface Props {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, actions, children }: Props) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.header}>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
