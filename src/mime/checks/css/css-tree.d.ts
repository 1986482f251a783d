/** Types of css-tree's modules. Its main module reads files when it is loaded, which a bundle does not have. */

declare module 'css-tree/parser' {
  export { parse as default } from 'css-tree';
}

declare module 'css-tree/walker' {
  export { walk as default } from 'css-tree';
}
