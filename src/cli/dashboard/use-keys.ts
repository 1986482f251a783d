import { oneLine } from '../output/text.js';
import { useKeyPresses } from '../terminal/ink/use-key-presses.js';
import type { KeyDeps } from './key-binding.js';
import { bindings, modeOf } from './key-map.js';

/** Runs the action that the key map has for each key. `visible` is false while the terminal is too small. */
export function useKeys({ visible, ...deps }: KeyDeps & { visible: boolean }): void {
  const { store } = deps;
  useKeyPresses((input, key) => {
    // Several keys can arrive before the view is drawn again.
    const state = store.current();
    const mode = modeOf(state, visible);
    const press = { ...deps, input, key, state };
    const binding = bindings.find(({ modes, matches }) => modes.includes(mode) && matches(press));
    if (binding && state.notice !== undefined) store.change({ kind: 'notice', text: undefined });
    binding?.act(press);
  }, paste);

  /**
   * Adds the first line of pasted text to the filter. In other modes, pasted text is ignored, so that its letters do
   * not act as keys.
   */
  function paste(text: string): void {
    const { prompt, filter } = store.current();
    if (prompt?.kind === 'filter') store.change({ kind: 'type', filter: oneLine(filter + firstLine(text)) });
  }
}

function firstLine(text: string): string {
  return text.trimStart().split(/[\r\n]/, 1)[0] ?? '';
}
