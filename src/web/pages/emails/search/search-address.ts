/** Returns what the address of the list searches for, and the cursor that it continues from. */
export function searchOf(parameters: URLSearchParams): { search: string; before: string | undefined } {
  return { search: parameters.get('search') ?? '', before: parameters.get('before') ?? undefined };
}
