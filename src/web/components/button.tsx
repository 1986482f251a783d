import type { ComponentProps, ComponentType } from 'react';
import styles from './button.module.css';

type Icon = ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>;

interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'primary' | 'destructive' | 'plain' | 'danger';
  icon?: Icon;
}

export function Button({ kind = 'plain', icon: Icon, children, className = '', ...props }: ButtonProps) {
  return (
    <button type="button" className={`${styles.button} ${styles[kind] ?? ''} ${className}`} {...props}>
      {Icon && <Icon size={16} aria-hidden />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  label: string;
  icon: Icon;
  /** The shortcut that does the same. */
  keys?: string;
}

interface IconLinkProps {
  label: string;
  icon: Icon;
  href: string;
  /** Shown on hovering, instead of the label. */
  title?: string;
}

/** A link with an icon only, which opens content of an email in a new tab. */
export function IconLink({ label, icon: Icon, href, title = label }: IconLinkProps) {
  return (
    <a className={styles.icon} href={href} target="_blank" rel="noopener noreferrer" aria-label={label} title={title}>
      <Icon size={18} aria-hidden />
    </a>
  );
}

/** A button with an icon only. Its label is its name for screen readers, and is shown on hovering. */
export function IconButton({ label, icon: Icon, keys, className = '', ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      className={`${styles.icon} ${className}`}
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      {...props}
    >
      <Icon size={18} aria-hidden />
    </button>
  );
}
