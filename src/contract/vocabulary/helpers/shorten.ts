/** Maximum number of characters of a name that a message of the API quotes. */
const NAME_CHARACTERS = 256;

/** Returns a text cut to a length, with an ellipsis if something was cut off. */
export function shortened(text: string, characters = NAME_CHARACTERS): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}
