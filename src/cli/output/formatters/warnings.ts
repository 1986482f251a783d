import { type DescribedWarning, warningText } from '../../../contract/vocabulary/warnings.js';
import { oneLine } from '../text.js';

/** Formats warnings. Every line is safe to print. */

/** Formats a warning on one line: `tagz: is not a field (did you mean tags?) [unknown_field]`. */
export function warningLine(warning: DescribedWarning): string {
  return oneLine(`${warningText(warning)} [${warning.code}]`);
}

/** Formats warnings on two lines each: the warning, and what to do about it. */
export function warningLines(warnings: readonly DescribedWarning[]): string[] {
  return warnings.flatMap((warning) => {
    const { level, advice, strict_status } = warning;
    const refused = strict_status === null ? '' : ` With --strict: ${strict_status}.`;
    return [`${level.padEnd(7)}  ${warningLine(warning)}`, `${' '.repeat(9)}${oneLine(advice)}${refused}`];
  });
}
