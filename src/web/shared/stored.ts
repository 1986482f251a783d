/** Settings that this browser keeps for the next visit, if it keeps any for this page. */

/** Reads a setting; null if the browser has kept none. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // The setting lasts until the page is closed.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Then it kept none.
  }
}

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
