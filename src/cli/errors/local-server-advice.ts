import { DEFAULT_HTTP_PORT } from '../../contract/vocabulary/routes.js';

/** Returns how to start the local server at an address, or to use another. */
export function startAdvice(baseUrl: string, env: NodeJS.ProcessEnv): string {
  const { port, origin } = new URL(baseUrl);
  const start = Number(port) === DEFAULT_HTTP_PORT ? 'svc dev' : `svc dev --http-port ${port || 80}`;
  const isFromVariable = URL.canParse(env.SVC_BASE_URL ?? '') && new URL(env.SVC_BASE_URL ?? '').origin === origin;
  const other = isFromVariable ? 'unset SVC_BASE_URL' : 'check --base-url and the profile';
  return `Start it with "${start}", or ${other}.`;
}
