/** JSON with a field a line; what is no JSON stays as it is. */
export function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
