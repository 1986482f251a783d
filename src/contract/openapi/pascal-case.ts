/** Converts `api-keys.create` to `ApiKeysCreate`. */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[._-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
