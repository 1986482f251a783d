import type { ReactNode } from 'react';
import styles from './page.module.css';

interface Props {
  title: string;
  /** A sentence below the title, such as what the page is for. */
  about?: ReactNode;
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The layout of a page that is not the list of emails: title, actions, and content below. */
export function Page({ title, about, actions, children }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div>
          {/* The frame has the heading of the page for screen readers. */}
          <p className={styles.title} aria-hidden="true">
            {title}
          </p>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
