/** Resolves colors of the theme for a canvas, which cannot use custom properties. */

/** Returns a function that returns the color of a design token in the current theme. */
export function themeColors(element: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement('span');
    element.append(probe);
    probe.style.color = `var(${token})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}

/** Calls back when the user or the system changes the theme. Returns the function that ends this. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', listener);
  const setting = new MutationObserver(listener);
  setting.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', listener);
    setting.disconnect();
  };
}
