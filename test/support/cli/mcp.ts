import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { BINARY, environment, ROOT } from './binary.js';

/** Calls the tools of `svc mcp` with the client of the SDK. */

export interface Agent {
  client: Client;
  /** Calls a tool that must succeed. Returns the JSON of its result. */
  // biome-ignore lint/suspicious/noExplicitAny: each tool has a result of its own
  call(name: string, args?: Record<string, unknown>): Promise<any>;
  /** Calls a tool that must fail. Returns its text. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>;
  /** Calls a tool. Returns the text of its result. */
  text(name: string, args?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function openAgent(env: Record<string, string>): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, 'mcp'],
    cwd: ROOT,
    env: environment(env) as Record<string, string>,
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  const result = async (name: string, args: Record<string, unknown>) => {
    const { isError = false, content } = (await client.callTool({ name, arguments: args })) as CallToolResult;
    const [first] = content;
    if (first?.type !== 'text' || content.length !== 1) throw new Error(`${name} did not return one text`);
    return { isError, text: first.text };
  };
  const expecting = async (failed: boolean, name: string, args: Record<string, unknown>) => {
    const { isError, text } = await result(name, args);
    if (isError !== failed) throw new Error(`${name} ${isError ? 'failed' : 'did not fail'}: ${text}`);
    return text;
  };
  return {
    client,
    call: async (name, args = {}) => JSON.parse(await expecting(false, name, args)),
    refused: (name, args = {}) => expecting(true, name, args),
    text: async (name, args = {}) => (await result(name, args)).text,
    close: () => client.close(),
  };
}
