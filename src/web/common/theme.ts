import { readStored, writeStored } from './stored.js';

/** The theme of the page: the system's, unless the user chose one in this browser. */

const themes = ['system', 'light', 'dark'] as const;

export type Theme = (typeof themes)[number];

const KEY = 'svc-theme';

export function storedTheme(): Theme {
  const stored = readStored(KEY);
  return themes.find((theme) => theme === stored) ?? 'system';
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function storeTheme(theme: Theme): void {
  writeStored(KEY, theme);
  applyTheme(theme);
}
