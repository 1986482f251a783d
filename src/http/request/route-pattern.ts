import type { FastifyRequest } from 'fastify';

/** Returns the pattern of the route that answers a request, such as `/v1/emails/{id}`; undefined without a route. */
export function routePattern(request: Pick<FastifyRequest, 'routeOptions' | 'is404'>): string | undefined {
  return request.is404 ? undefined : request.routeOptions?.url?.replace(/:(\w+)/g, '{$1}');
}
