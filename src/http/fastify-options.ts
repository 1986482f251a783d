/** Options of every server of svc. */
export const FASTIFY_OPTIONS = {
  logger: false,
  // Routes have no JSON schemas, and loading their compilers takes time at each start.
  schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  // Plugins are the server's own: a timer for each would take time at each start.
  pluginTimeout: 0,
} as const;

function noSchemas(): never {
  throw new TypeError('a route with a JSON schema needs a compiler');
}
