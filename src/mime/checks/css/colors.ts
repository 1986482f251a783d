import { type Colord, colord, extend } from 'colord';
import names from 'colord/plugins/names';
import type { CssNode } from 'css-tree';
import walk from 'css-tree/walker';

/** Reads colors of CSS and of HTML attributes. */

extend([names]);

/** Returns a color on a background that it may let through. */
export function over(color: Colord | undefined, background: Colord | undefined): Colord | undefined {
  if (!color || color.alpha() === 0) return background;
  if (color.alpha() === 1 || !background) return color.alpha() === 1 ? color : undefined;
  const [front, back, alpha] = [color.toRgb(), background.toRgb(), color.alpha()];
  const mix = (a: number, b: number) => Math.round(a * alpha + b * (1 - alpha));
  return colord({ r: mix(front.r, back.r), g: mix(front.g, back.g), b: mix(front.b, back.b) });
}

/** Characters of a color: longer texts are not colors. */
const COLOR_MAX = 60;

export function readColor(text: string): Colord | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > COLOR_MAX) return undefined;
  // HTML also accepts hexadecimal colors without "#".
  const color = colord(/^[0-9a-f]{6}$/i.test(trimmed) ? `#${trimmed}` : trimmed);
  return color.isValid() ? color : undefined;
}

/** Returns the first color of a value. */
export function colorIn(value: CssNode): Colord | undefined {
  return colorNodeIn(value)?.color;
}

/** Returns the first color of a value with its node. */
export function colorNodeIn(value: CssNode): { color: Colord; node: CssNode } | undefined {
  let found: { color: Colord; node: CssNode } | undefined;
  walk(value, function (node) {
    if (found) return this.break;
    const color = colorOf(node);
    if (color) found = { color, node };
    return node.type === 'Function' ? this.skip : undefined;
  });
  return found;
}

function colorOf(node: CssNode): Colord | undefined {
  if (node.type === 'Hash') return readColor(`#${node.value}`);
  if (node.type === 'Identifier') return readColor(node.name.toLowerCase());
  if (node.type !== 'Function' || !/^(?:rgb|hsl)a?$/i.test(node.name)) return undefined;
  return readColor(functionText(node));
}

/** Returns a function with plain arguments as text, as colord reads it. */
function functionText(node: CssNode & { type: 'Function' }): string {
  const parts = node.children.toArray().map((each) => {
    if (each.type === 'Number') return each.value;
    if (each.type === 'Percentage') return `${each.value}%`;
    if (each.type === 'Dimension') return `${each.value}${each.unit}`;
    return each.type === 'Operator' ? each.value : '';
  });
  return `${node.name}(${parts.join(' ').replace(/ ,/g, ',')})`;
}

export function isImage(value: CssNode): boolean {
  let found = false;
  walk(value, (node) => {
    found ||= node.type === 'Url' || (node.type === 'Function' && /gradient|image/i.test(node.name));
  });
  return found;
}
