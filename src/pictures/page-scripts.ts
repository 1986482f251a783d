/** Scripts for the page of an email, which can name elements like properties of its document, such as `body`. */

const ALL_TEXTS = 'const walker = Document.prototype.createTreeWalker.call(document, document, NodeFilter.SHOW_TEXT)';

/** Returns the texts of the page. */
export const READ_TEXTS = `(() => {
  ${ALL_TEXTS};
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.nodeValue);
  return texts;
})()`;

/** Replaces texts of the page by their positions. */
export const writeTexts = (changed: [number, string][]) => `(() => {
  ${ALL_TEXTS};
  const texts = new Map(${JSON.stringify(changed)});
  for (let index = 0; walker.nextNode(); index++) {
    if (texts.has(index)) walker.currentNode.nodeValue = texts.get(index);
  }
})()`;

/** Hides the elements of a CSS selector. Returns false if it is invalid. */
export const hide = (selector: string) => `(() => {
  try {
    for (const element of Document.prototype.querySelectorAll.call(document, ${JSON.stringify(selector)}))
      element.style.setProperty('visibility', 'hidden', 'important');
    return true;
  } catch {
    return false;
  }
})()`;

/** Ends animations that have an end, and removes the others: the picture is the same each time. */
export const END_ANIMATIONS = `(() => {
  for (const animation of Document.prototype.getAnimations.call(document)) {
    if (Number.isFinite(animation.effect.getComputedTiming().endTime)) animation.finish();
    else animation.cancel();
  }
})()`;
