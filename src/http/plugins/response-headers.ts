import type { FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';
import { REQUEST_ID_HEADER } from '../../contract/vocabulary/headers.js';
import { SAFE_HEADERS, SAFE_MAIL_HEADERS } from '../response/safe-headers.js';

/** Sets the headers of every response: the request ID, and restrictions for browsers. */
const plugin: FastifyPluginAsync = async (server) => {
  server.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    reply.headers(request.routeOptions.config.anyOrigin ? SAFE_MAIL_HEADERS : SAFE_HEADERS);
  });
};

export const responseHeaders = fp(plugin);
