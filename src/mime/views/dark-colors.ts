import { type Colord, colord, extend } from 'colord';
import a11y from 'colord/plugins/a11y';
import lab from 'colord/plugins/lab';
import type { DarkMode } from './client-rules.js';

/** Computes the colors of dark mode: their lightness is inverted, hue and chroma stay. */

extend([lab, a11y]);

/** Backgrounds of at least this lightness, from 0 to 100, are light. */
const LIGHT = 50;
/** Contrast that text keeps without a change. */
const READABLE = 4.5;

export class DarkColors {
  readonly #base: Colord;
  readonly #baseLightness: number;

  constructor(private readonly mode: DarkMode) {
    this.#base = colord(mode.base);
    this.#baseLightness = this.#base.toLab().l;
  }

  /** Returns a background in dark mode; undefined if it stays. */
  background(color: Colord): Colord | undefined {
    if (color.alpha() === 0) return undefined;
    if (this.mode.kind === 'full') return this.#inverted(color);
    return this.mode.kind === 'partial' && color.toLab().l >= LIGHT ? this.#inverted(color) : undefined;
  }

  /** Returns the color of a text in dark mode, on the original background; undefined if it stays. */
  text(color: Colord, background: Colord | undefined): Colord | undefined {
    if (this.mode.kind === 'full') return this.#inverted(color);
    if (this.mode.kind !== 'partial') return undefined;
    const shown = background ? (this.background(background) ?? background) : this.#base;
    if (color.contrast(shown) >= READABLE) return undefined;
    const inverted = this.#inverted(color);
    return inverted.contrast(shown) > color.contrast(shown) ? inverted : undefined;
  }

  /**
   * Moves the lightness to its opposite between that of the base and white, as Outlook's editor does:
   * https://github.com/microsoft/roosterjs
   */
  #inverted(color: Colord): Colord {
    const { l, a, b, alpha } = color.toLab();
    const lightness = ((100 - l) * (100 - this.#baseLightness)) / 100 + this.#baseLightness;
    return colord({ l: lightness, a, b, alpha });
  }
}
