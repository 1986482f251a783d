import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Client } from '../../client/client.js';
import { PAGE_SIZE_MAX } from '../../contract/vocabulary/limits.js';
import { LATEST } from '../command/resource-id.js';
import type { TargetFlags } from '../flags/target.js';
import type { Target } from '../target/target.js';

/** Defines what a tool is, and the arguments that several tools share. */

export interface Connection {
  flags: TargetFlags;
  log(text: string): void;
  /** Runs `use` with a client of the local server. @throws as commands do. */
  connect<T>(use: (client: Client, target: Target) => Promise<T>): Promise<T>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The command with the same kinds of IDs, for suggestions. */
  command: string;
  input: z.ZodObject;
  annotations: ToolAnnotations;
  /** Whether the result contains text that senders of emails wrote. */
  hasContent: boolean;
  run(args: never, connection: Connection, signal: AbortSignal): Promise<object>;
}

/** Checks that the function takes the arguments of the schema. */
export function tool<S extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: S;
    run(args: z.input<S>, connection: Connection, signal: AbortSignal): Promise<object>;
  },
): Tool {
  return definition as Tool;
}

export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
export const CHANGES: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
/** What it changes cannot be undone. */
export const DESTROYS: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

export const readId = z.string().default(LATEST).meta({
  description: 'Email ID (msg_…), its last 6 or more characters, or latest for the newest email.',
});
export const fullId = z.string().meta({ description: 'Email ID (msg_…), or latest for the newest email.' });

export const ITEMS_DEFAULT = 20;
export const page = {
  limit: z.int().min(1).max(PAGE_SIZE_MAX).default(ITEMS_DEFAULT).meta({ description: 'Number of items.' }),
  offset: z.int().min(0).default(0).meta({ description: 'Number of items to skip.' }),
};
