/** How a line of a chart is drawn. Lines differ in their dashes too, for people who cannot tell the colors apart. */
export interface LineStyle {
  /** A design token, such as `--green`. */
  color: string;
  /** Lengths of the dashes and of the gaps between them, in pixels. */
  dash?: number[];
}
