/** The baseline of bench/send: a fastify route that reads JSON, answers as POST /emails does, and stores nothing. */
import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';

const server = Fastify({ logger: false });
server.post('/v1/emails', async ({ body }, reply) => {
  const created_at = new Date().toISOString();
  reply.code(201);
  return {
    success: true,
    data: {
      id: `msg_${randomUUID()}`,
      to: body.to,
      from: body.from,
      subject: body.subject,
      status: 'sent',
      created_at,
      scheduled_at: null,
      tags: [],
    },
    meta: { request_id: `req_${randomUUID()}`, timestamp: created_at },
  };
});
await server.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ port: server.server.address().port })}\n`);
