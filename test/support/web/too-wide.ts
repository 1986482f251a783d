/** Runs in the page: returns what reaches out of the window, except what is within an area that scrolls or is cut. */
export function tooWide(): string[] {
  const contains = (element: Element) => {
    const { overflowX } = getComputedStyle(element);
    return overflowX !== 'visible' && element !== document.documentElement && element !== document.body;
  };
  const isContained = (element: Element | null): boolean =>
    element !== null && (contains(element) || isContained(element.parentElement));
  const found = Array.from(document.body.querySelectorAll('*')).filter((element) => {
    const { right, width } = element.getBoundingClientRect();
    return width > 1 && right > innerWidth + 0.5 && !isContained(element.parentElement);
  });
  if (document.documentElement.scrollWidth > innerWidth) found.push(document.documentElement);
  // Within pages, dialogs and lists, only code and tables may scroll sideways.
  const areas = document.querySelectorAll('main, dialog[open], article, [data-testid=email-list]');
  for (const area of areas) if (area.scrollWidth > area.clientWidth + 1) found.push(area);
  return found.map((element) => (element.cloneNode() as Element).outerHTML.slice(0, 120));
}
