/** Maps names in CSS to features of caniemail.com. */

const SIDES = ['top', 'right', 'bottom', 'left'];
const LOGICAL = ['inline', 'block'];
const ENDS = ['start', 'end'];

/** Properties of features whose name is not that of one property. */
const PROPERTIES: Record<string, readonly string[]> = {
  'css-animation': ['animation', ...prefixed('animation', 'name duration delay direction fill-mode iteration-count')],
  'css-block-inline-size': ['block-size', 'inline-size'],
  'css-border': [
    'border',
    ...prefixed('border', 'width style color'),
    ...SIDES.flatMap((side) => [`border-${side}`, ...prefixed(`border-${side}`, 'width style color')]),
  ],
  'css-border-image': ['border-image', ...prefixed('border-image', 'source slice width outset repeat')],
  'css-border-inline-block': LOGICAL.map((axis) => `border-${axis}`),
  'css-border-inline-block-longhand': LOGICAL.flatMap((axis) => prefixed(`border-${axis}`, 'width style color')),
  'css-border-inline-block-individual': LOGICAL.flatMap((axis) =>
    ENDS.flatMap((end) => [`border-${axis}-${end}`, ...prefixed(`border-${axis}-${end}`, 'width style color')]),
  ),
  'css-border-radius': [
    'border-radius',
    ...['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((corner) => `border-${corner}-radius`),
  ],
  'css-border-radius-logical': ENDS.flatMap((block) => ENDS.map((inline) => `border-${block}-${inline}-radius`)),
  'css-column-layout-properties': ['columns', ...prefixed('column', 'width span fill rule rule-color rule-style')],
  'css-gap': ['gap', 'column-gap', 'row-gap', 'grid-gap'],
  'css-grid-template': ['grid-template', ...prefixed('grid-template', 'areas columns rows')],
  'css-inset': ['inset', ...LOGICAL.flatMap((axis) => [`inset-${axis}`, ...ENDS.map((end) => `inset-${axis}-${end}`)])],
  'css-left-right-top-bottom': SIDES,
  'css-margin': ['margin', ...SIDES.map((side) => `margin-${side}`)],
  'css-margin-block-start-end': ENDS.map((end) => `margin-block-${end}`),
  'css-margin-inline-block': LOGICAL.map((axis) => `margin-${axis}`),
  'css-margin-inline-start-end': ENDS.map((end) => `margin-inline-${end}`),
  'css-outline': ['outline', ...prefixed('outline', 'color style width')],
  'css-overflow': ['overflow', 'overflow-x', 'overflow-y'],
  'css-padding': ['padding', ...SIDES.map((side) => `padding-${side}`)],
  'css-padding-block-start-end': ENDS.map((end) => `padding-block-${end}`),
  'css-padding-inline-block': LOGICAL.map((axis) => `padding-${axis}`),
  'css-padding-inline-start-end': ENDS.map((end) => `padding-inline-${end}`),
  'css-scroll-snap': prefixed('scroll-snap', 'type align stop'),
  'css-text-emphasis': ['text-emphasis', 'text-emphasis-style', 'text-emphasis-color'],
  'css-text-wrap': ['text-wrap', 'text-wrap-mode', 'text-wrap-style'],
  'css-transition': ['transition', ...prefixed('transition', 'property duration delay timing-function')],
};

function prefixed(prefix: string, names: string): string[] {
  return names.split(' ').map((name) => `${prefix}-${name}`);
}

const PROPERTY_FEATURES = new Map([
  ...Object.entries(PROPERTIES).flatMap(([slug, names]) => names.map((name): [string, string] => [name, slug])),
  // This property belongs to two features.
  ['inline-size', 'css-inline-size'],
]);

/** Returns the feature of a property, in lower case without a vendor prefix. Not every one is in the data. */
export function propertyFeature(name: string): string {
  return PROPERTY_FEATURES.get(name) ?? `css-${name}`;
}

/** Features of a property with a certain value. */
export const VALUE_FEATURES = new Map([
  ['display: flex', 'css-display-flex'],
  ['display: inline-flex', 'css-display-flex'],
  ['display: grid', 'css-display-grid'],
  ['display: inline-grid', 'css-display-grid'],
  ['display: none', 'css-display-none'],
  ['flex-direction: column', 'css-flex-direction'],
  ['flex-direction: column-reverse', 'css-flex-direction'],
  ['flex-flow: column', 'css-flex-direction'],
  ['flex-wrap: wrap', 'css-flex-wrap'],
  ['flex-wrap: wrap-reverse', 'css-flex-wrap'],
  ['flex-flow: wrap', 'css-flex-wrap'],
]);

export const KEYWORD_FEATURES = new Map([
  ['initial', 'css-unit-initial'],
  ['fit-content', 'css-intrinsic-size'],
  ['min-content', 'css-intrinsic-size'],
  ['max-content', 'css-intrinsic-size'],
  ...['system-ui', 'ui-serif', 'ui-sans-serif', 'ui-rounded', 'ui-monospace'].map(
    // The data spells it like this.
    (name): [string, string] => [name, 'css-sytem-ui'],
  ),
]);

export const FUNCTION_FEATURES = new Map([
  ['calc', 'css-unit-calc'],
  ['var', 'css-variables'],
  ['clamp', 'css-function-clamp'],
  ['min', 'css-function-min'],
  ['max', 'css-function-max'],
  ['light-dark', 'css-function-light-dark'],
  ['rgb', 'css-rgb'],
  ['rgba', 'css-rgba'],
  ['lch', 'css-modern-color'],
  ['oklch', 'css-modern-color'],
  ['lab', 'css-modern-color'],
  ['oklab', 'css-modern-color'],
  ['linear-gradient', 'css-linear-gradient'],
  ['radial-gradient', 'css-radial-gradient'],
  ['conic-gradient', 'css-conic-gradient'],
  ['fit-content', 'css-intrinsic-size'],
]);

export const COMBINATOR_FEATURES = new Map([
  [' ', 'css-selector-descendant'],
  ['>', 'css-selector-child'],
  ['+', 'css-selector-adjacent-sibling'],
  ['~', 'css-selector-general-sibling'],
]);

/** Pseudo-elements that CSS 2 writes with one colon. */
export const OLD_PSEUDO_ELEMENTS = new Set(['after', 'before', 'first-letter', 'first-line']);

/** Features of a media query, by a part of it. */
export const MEDIA_FEATURES: readonly [part: string, slug: string][] = [
  ['device-pixel-ratio', 'css-at-media-device-pixel-ratio'],
  ['hover', 'css-at-media-hover'],
  ['orientation', 'css-at-media-orientation'],
  ['prefers-color-scheme', 'css-at-media-prefers-color-scheme'],
  ['prefers-reduced-motion', 'css-at-media-prefers-reduced-motion'],
];
