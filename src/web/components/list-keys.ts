import { type KeyboardEvent, useState } from 'react';

/** Moves through a list of options with the arrow keys, while a text field has the focus. */
export function useArrowKeys(count: number, onEnter: (index: number) => void) {
  const [chosen, setActive] = useState(0);
  const active = Math.min(chosen, Math.max(0, count - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') onEnter(active);
    else if (event.key === 'ArrowDown') setActive((active + 1) % Math.max(1, count));
    else if (event.key === 'ArrowUp') setActive((active + Math.max(1, count) - 1) % Math.max(1, count));
    else return;
    event.preventDefault();
  };
  return { active, setActive, onKeyDown };
}
