import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './page.module.css';

interface Props {
  title: ReactNode;
  /** A sentence below the title, such as what the page is for. */
  about?: ReactNode;
  /** The list of all items, on a page about one of them. */
  back?: { href: string; label: string };
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The layout of a page that is not the list of emails: title, actions, and content below. */
export function Page({ title, about, back, actions, children }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.titles}>
          {back && (
            <Link href={back.href} className={styles.back ?? ''}>
              <ArrowLeft size={16} aria-hidden /> {back.label}
            </Link>
          )}
          {/* On a phone, the bar above has the title of a list, too. */}
          <h1 className={`${styles.title} ${back ? '' : styles.repeated}`}>{title}</h1>
          {about && <p className={styles.about}>{about}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a heading. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.sectionHeader}>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** What is known of something, by the names of the values. A name without a value is omitted. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={styles.facts}>
      {Object.entries(facts).map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
