/** Returns the part of an address with these parameters, such as `?state=failed`. Empty ones are left out. */
export function queryOf(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return query.size > 0 ? `?${query}` : '';
}
