/**
 * Serves a Next.js route handler without Next.js: the handler is a function from a Request to a Response, and is given
 * the Request that arrived. `node serve-route.js FILE` with the port in PORT.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';

const { POST } = await import(pathToFileURL(process.argv[2]).href);
const server = createServer(async (incoming, outgoing) => {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const url = new URL(incoming.url, 'http://localhost');
  const request = new Request(url, { method: 'POST', headers: incoming.headers, body: Buffer.concat(chunks) });
  const response = await POST(request);
  outgoing
    .writeHead(response.status, Object.fromEntries(response.headers))
    .end(Buffer.from(await response.arrayBuffer()));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
await once(server, 'listening');
console.log(`listening on http://127.0.0.1:${server.address().port}`);
