import { oneLine } from '../output/text.js';
import { type Binding, distance, is, isControl, type Mode, type Press } from './key-binding.js';
import { paneNames } from './panes/index.js';
import type { Row } from './panes/pane.js';
import { currentRow, type DashboardState } from './state.js';

/** Defines the dashboard’s keys: their action, the mode they work in, and their help. */

const EVERYWHERE: readonly Mode[] = ['panes', 'opened', 'filter', 'choice', 'confirm', 'hidden'];
const VIEWS: readonly Mode[] = ['panes', 'opened'];

const moves = (press: Press) => distance(press) !== undefined;

/** The bindings in the order of the help. */
export const bindings: readonly Binding[] = [
  {
    help: [['tab  ← →  1-5', 'go to emails, events, deliveries, requests or SMTP']],
    modes: ['panes'],
    matches: ({ input, key }) => key.tab || key.rightArrow || key.leftArrow || paneAt(input) !== undefined,
    act: switchPane,
  },
  {
    help: [
      ['↑ ↓  j k', 'select a row, or scroll what is open'],
      ['pgup pgdn  space', 'move by a page'],
      ['home end  g G', 'go to the first or last row; the first follows new rows'],
    ],
    modes: ['panes'],
    matches: moves,
    act: (press) => press.store.change({ kind: 'move', by: distance(press) ?? 0 }),
  },
  {
    modes: ['opened'],
    matches: moves,
    act: (press) => press.store.change({ kind: 'scroll', by: distance(press) ?? 0, last: press.scrollLast }),
  },
  {
    modes: ['choice'],
    matches: moves,
    act: (press) => press.store.change({ kind: 'choose', by: distance(press) ?? 0 }),
  },
  {
    help: [['enter', 'open the selected row, or close it, as esc and q do']],
    modes: ['panes'],
    matches: ({ key }) => key.return,
    act: openRow,
  },
  { modes: ['opened'], matches: ({ key }) => key.return || key.escape, act: close },
  {
    help: [['z', 'toggle the whole width for an open row']],
    modes: ['opened'],
    matches: is('z'),
    act: ({ store }) => store.change({ kind: 'zoom' }),
  },
  {
    help: [['f  /', 'filter all panes by text; esc shows all rows again']],
    modes: ['panes'],
    matches: is('f', '/'),
    act: ({ store, state }) => store.change({ kind: 'ask', prompt: { kind: 'filter', before: state.filter } }),
  },
  {
    modes: ['panes'],
    matches: ({ key }) => key.escape,
    act: ({ store }) => store.change({ kind: 'type', filter: '' }),
  },
  {
    help: [['t', 'sort by the next column']],
    modes: ['panes'],
    matches: is('t'),
    act: ({ store }) => store.change({ kind: 'sort' }),
  },
  {
    help: [['c', 'copy the ID, a link or a code; requires OSC 52']],
    modes: VIEWS,
    matches: is('c'),
    act: copy,
  },
  {
    help: [['s', 'simulate an outcome for the email, such as a bounce']],
    modes: VIEWS,
    matches: is('s'),
    act: onEmail((press, email) => press.actions.simulate(email)),
  },
  {
    help: [['o', 'open the email in the browser']],
    modes: VIEWS,
    matches: is('o'),
    act: onEmail((press, email) => void press.actions.openInBrowser(email)),
  },
  {
    help: [['w', 'save the email with its attachments in this directory']],
    modes: VIEWS,
    matches: is('w'),
    act: onEmail((press, email) => void press.actions.save(email)),
  },
  {
    help: [['d', 'delete the email']],
    modes: VIEWS,
    matches: is('d'),
    act: onEmail((press, email) => press.actions.delete(email)),
  },
  { help: [['r', 'replay the delivery or event']], modes: VIEWS, matches: is('r'), act: replay },
  { help: [['?', 'show or close this help']], modes: VIEWS, matches: is('?'), act: toggleHelp },
  {
    help: [['q', 'stop the server; asks first if email would be lost']],
    modes: ['panes', 'hidden'],
    matches: is('q'),
    act: ({ actions, quit, inMemory }) => void actions.quit(quit, inMemory),
  },
  { modes: ['opened'], matches: is('q'), act: close },
  {
    help: [['^C', 'stop the server without asking; again: at once']],
    modes: EVERYWHERE,
    matches: isControl('c'),
    act: ({ quit }) => quit(),
  },
  {
    help: [['^Z', 'suspend the dashboard; fg resumes it']],
    modes: EVERYWHERE,
    matches: isControl('z'),
    act: ({ suspend }) => suspend(),
  },
  { modes: ['filter', 'choice'], matches: ({ key }) => key.escape, act: cancelPrompt },
  { modes: ['filter'], matches: ({ key }) => key.return, act: ({ store }) => store.change({ kind: 'answered' }) },
  { modes: ['choice'], matches: ({ key }) => key.return, act: choose },
  { modes: ['confirm'], matches: () => true, act: answer },
  {
    modes: ['filter'],
    matches: isControl('u'),
    act: ({ store }) => store.change({ kind: 'type', filter: '' }),
  },
  {
    modes: ['filter'],
    matches: ({ key }) => key.backspace || key.delete,
    act: ({ store, state }) => store.change({ kind: 'type', filter: [...state.filter].slice(0, -1).join('') }),
  },
  {
    modes: ['filter'],
    matches: ({ key }) => !key.ctrl && !key.meta && !key.tab,
    act: ({ store, state, input }) => store.change({ kind: 'type', filter: oneLine(state.filter + input) }),
  },
];

export function modeOf({ prompt, opened }: DashboardState, visible: boolean): Mode {
  if (!visible) return prompt?.kind === 'confirm' ? 'confirm' : 'hidden';
  if (prompt) return prompt.kind;
  return opened ? 'opened' : 'panes';
}

function paneAt(input: string) {
  return paneNames[Number(input) - 1];
}

function switchPane({ store, input, key }: Press): void {
  const name = paneAt(input);
  if (name) store.change({ kind: 'focus', name });
  else store.change({ kind: 'next pane', by: key.leftArrow || key.shift ? -1 : 1 });
}

function openRow({ state, store }: Press): void {
  const row = currentRow(state);
  if (row) store.change({ kind: 'open', opened: { kind: 'row', row, scroll: 0 } });
}

function close({ store }: Press): void {
  store.change({ kind: 'close' });
}

function toggleHelp({ store, state }: Press): void {
  if (state.opened?.kind === 'help') store.change({ kind: 'close' });
  else store.change({ kind: 'open', opened: { kind: 'help', scroll: 0 } });
}

/** Returns the action of a key that works on emails. */
function onEmail(act: (press: Press, email: NonNullable<Row['email']>) => void): Binding['act'] {
  return (press) => {
    const email = currentRow(press.state)?.email;
    if (email) act(press, email);
    else press.store.change({ kind: 'notice', text: noEmail(press.state) });
  };
}

function noEmail({ focus, opened }: DashboardState): string {
  const elsewhere = focus !== 'mails' && opened?.kind !== 'help';
  return `No email is selected.${elsewhere ? ' Press 1 for the emails pane.' : ''}`;
}

function copy({ state, actions }: Press): void {
  const row = currentRow(state);
  if (row) void actions.copy(row);
}

function choose({ store, state: { prompt } }: Press): void {
  if (prompt?.kind !== 'choice') return;
  store.change({ kind: 'answered' });
  prompt.items[prompt.index]?.act();
}

/** Only y confirms. Any other key cancels, so that a key pressed by mistake loses nothing. */
function answer({ store, state: { prompt }, input }: Press): void {
  if (prompt?.kind !== 'confirm') return;
  store.change({ kind: 'answered' });
  if (input === 'y') prompt.act();
}

function replay({ store, state, actions }: Press): void {
  const row = currentRow(state);
  if (row?.replay) void actions.replay(row);
  else store.change({ kind: 'notice', text: 'r works on events and deliveries: press 2 or 3 for their panes.' });
}

function cancelPrompt({ store, state }: Press): void {
  if (state.prompt?.kind === 'filter') store.change({ kind: 'type', filter: state.prompt.before });
  store.change({ kind: 'answered' });
}
