import { cloneElement, type ReactElement, type ReactNode, useState } from 'react';

type Content = typeof import('./menu-content.js');

const load = () => import('./menu-content.js');
/** What cannot be loaded now is loaded by the next click. */
const ignore = () => {};
const preload = () => void load().catch(ignore);

interface Props {
  /** The button, which passes its props to a `button`. */
  trigger: ReactElement<TriggerProps>;
  /** Returns the items, made of the parts of `menu-content.tsx`. */
  children(parts: Content): ReactNode;
}

interface TriggerProps {
  onClick?(): void;
  onPointerEnter?(): void;
  'aria-haspopup'?: 'menu';
}

/** A menu that a button opens. It is loaded when the pointer reaches the button, or the button is pressed. */
export function Menu({ trigger, children }: Props) {
  const [parts, setParts] = useState<Content>();
  if (parts) {
    return <parts.LoadedMenu trigger={trigger}>{children(parts)}</parts.LoadedMenu>;
  }
  const open = () => void load().then(setParts, ignore);
  // Only the click exchanges the button: a touch enters it first, and would press one that is gone.
  return cloneElement(trigger, { onPointerEnter: preload, onClick: open, 'aria-haspopup': 'menu' });
}
