/** Characters of a name that the API quotes in a message. */
const NAME_CHARACTERS = 256;

/** Returns a text cut to a length, with an ellipsis when something is missing. */
export function shortened(text: string, characters = NAME_CHARACTERS): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}
