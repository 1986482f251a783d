import * as Radix from '@radix-ui/react-dropdown-menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { formatCount } from '../format.js';
import styles from './menu.module.css';

interface Props {
  trigger: ReactElement;
  children: ReactNode;
}

/** The menu itself, open at first. */
export function LoadedMenu({ trigger, children }: Props) {
  return (
    // A modal menu adds style elements, which the page's policy does not allow.
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={document.getElementById('content')}>
        <Radix.Content className={styles.menu} align="end" sideOffset={4} collisionPadding={8}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({ onSelect, children }: { onSelect(): void; children: ReactNode }) {
  return (
    <Radix.Item className={styles.item} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

export function MenuLink({ href, download, children }: { href: string; download?: boolean; children: ReactNode }) {
  return (
    <Radix.Item className={styles.item} asChild>
      <a href={href} {...(download ? { download: true } : { target: '_blank', rel: 'noopener noreferrer' })}>
        {children}
      </a>
    </Radix.Item>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  /** `count` is a number of items that have the value. */
  choices: readonly { value: string; label: string; count?: number | undefined }[];
  onChange(value: string): void;
}

/** A group of items of which one is chosen. */
export function MenuChoice({ label, value, choices, onChange }: ChoiceProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onChange}>
      <Radix.Label className={styles.label}>{label}</Radix.Label>
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} value={choice.value} className={styles.item}>
          <span className={styles.mark}>
            <Radix.ItemIndicator>
              <Check size={14} aria-hidden />
            </Radix.ItemIndicator>
          </span>
          {choice.label}
          {choice.count !== undefined && <span className={styles.count}>{formatCount(choice.count)}</span>}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className={styles.separator} />;
}
