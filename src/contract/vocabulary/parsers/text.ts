// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
export const CONTROL_CHARACTER = /[\u0000-\u001f\u007f\u2028\u2029]/u;
