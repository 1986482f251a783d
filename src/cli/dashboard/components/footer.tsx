import { Text } from 'ink';
import type { DashboardState } from '../state.js';
import { joinFitting } from './fitting.js';

/** Shows the last notice or the current prompt, and the keys. */
export function Footer({ state, columns }: { state: DashboardState; columns: number }) {
  return (
    <>
      <Text wrap="truncate" bold={state.prompt?.kind === 'confirm'}>
        {notice(state)}
      </Text>
      <Text wrap="truncate" dimColor>
        {keys(state, columns)}
      </Text>
    </>
  );
}

/** Returns the line that asks for y. */
export function confirmation(question: string): string {
  return `${question} (y/N)`;
}

function notice({ prompt, notice, filter }: DashboardState): string {
  if (prompt?.kind === 'filter') return `filter: ${filter}▏`;
  if (prompt?.kind === 'confirm') return confirmation(prompt.question);
  const filtered = filter.trim() === '' ? undefined : `filter: ${filter.trim()} (esc shows all)`;
  return notice ?? filtered ?? ' ';
}

function keys({ prompt, opened, focus }: DashboardState, columns: number): string {
  if (prompt?.kind === 'filter') return 'type to filter  enter apply  esc cancel';
  if (prompt?.kind === 'confirm') return 'y yes  any other key cancels';
  if (prompt) return '↑↓ choose  enter confirm  esc cancel';
  if (opened?.kind === 'help') return '↑↓ scroll  q back';
  const own = focus === 'mails' ? ['s simulate', 'o open in browser', 'c copy', 'w save', 'd delete'] : ['c copy'];
  const acts = focus === 'events' || focus === 'deliveries' ? ['r replay', ...own] : own;
  const start = opened ? ['↑↓ scroll', 'q back'] : ['? help', 'q quit', 'tab pane', 'enter open', 'f filter'];
  const all = opened ? [...start, ...acts, 'z zoom'] : [...start, ...acts, 't sort'];
  return joinFitting(all, columns);
}
