import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type ControlOperationName, control } from '../../contract/control/endpoints.js';
import { describeIssue } from '../../contract/issues.js';
import { ServiceError } from '../../contract/vocabulary/errors.js';
import { refuseKind } from '../../core/account/key-kinds.js';
import { audited } from '../../core/audit.js';
import type { Core } from '../../core/context.js';
import type { CallWith, ControlDeps, ControlHandler } from '../../core/handlers/control/context.js';
import { controlHandlers } from '../../core/handlers/control/handlers.js';

/** Reads requests of Mailpit's clients, and calls the handlers of the control API for them. */

/** What routes, and the operations of the control API that they run, need besides the core. */
type Needs =
  | 'accept'
  | 'checkContent'
  | 'compose'
  | 'deliveredCopy'
  | 'describe'
  | 'faults'
  | 'inbox'
  | 'releases'
  | 'requestLink'
  | 'stopping'
  | 'verifyDkim';

/** What every route needs. */
export interface MailpitDeps {
  core: Core;
  control: Pick<ControlDeps, Needs>;
}

/** A call of this API. */
export type MailpitCall = CallWith<Needs>;

/** What a handler of this API needs. */
type MailpitContext = MailpitCall & { basePath: string };

/** A handler of a route. It returns what `send` of fastify accepts; objects are sent as JSON. */
export type MailpitHandler = (
  request: MailpitRequest,
  reply: FastifyReply,
  context: MailpitContext,
) => Promise<object | string>;

export type MailpitRequest = FastifyRequest<{
  Params: Record<string, string>;
  Querystring: Record<string, string | string[] | undefined>;
}>;

type Input<Name extends ControlOperationName> = Parameters<ControlHandler<Name>>[0];
type Output<Name extends ControlOperationName> = Awaited<ReturnType<ControlHandler<Name>>>;

/** The operations of the control API that a call of this API can run. */
type Runnable = {
  [Name in ControlOperationName]: MailpitCall extends Parameters<(typeof controlHandlers)[Name]>[1] ? Name : never;
}[ControlOperationName];

/** Calls an operation of the control API with the right of the caller. */
export async function run<Name extends Runnable>(
  name: Name,
  input: Partial<Input<Name>>,
  context: MailpitCall,
): Promise<Output<Name>> {
  refuseKind(control[name], context.key, context.access);
  const handler: (input: never, context: MailpitCall) => Promise<unknown> = controlHandlers[name];
  const call = { name, endpoint: control[name], sent: input };
  // TypeScript cannot express that the handler of a name takes the input of that name, and returns its output.
  const output = await audited(call, context, (recorded) => handler(input as never, recorded));
  return output as Output<Name>;
}

/** Returns the first value of a query parameter; an empty text without one. */
export function parameter({ query }: MailpitRequest, name: string): string {
  return [query[name] ?? ''].flat()[0] ?? '';
}

/** Returns a parameter that is a number; the default for anything else, as Mailpit does. */
export function numberParameter(request: MailpitRequest, name: string, least: number, standard: number): number {
  const text = parameter(request, name);
  const number = /^[+-]?\d{1,15}$/.test(text) ? Number(text) : standard;
  return number < least ? standard : number;
}

/**
 * Reads the body, whatever its content type. Names of fields ignore case, and null counts as missing. `Headers` keeps
 * its names.
 * @throws ServiceError if it is not JSON of this form.
 */
export function readBody<Schema extends z.ZodType>({ body }: FastifyRequest, schema: Schema): z.output<Schema> {
  const text = Buffer.isBuffer(body) ? body.toString() : '';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ServiceError('bad_request', `The request body is not JSON: ${(error as Error).message}.`, undefined, '');
  }
  const read = schema.safeParse(withLowerNames(value ?? {}), { error: describeIssue });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ServiceError('bad_request', `${issue?.path.join('.') || 'body'}: ${issue?.message}.`, undefined, '');
}

/** A text of a body. Lone surrogates cannot be stored. */
export const Text = z.string().refine((text) => text.isWellFormed(), 'must not contain a lone surrogate');

/** The forms have fewer levels. */
const LEVELS = 4;

function withLowerNames(value: unknown, level = 0): unknown {
  if (Array.isArray(value) && level < LEVELS) return value.map((each) => withLowerNames(each, level + 1));
  if (typeof value !== 'object' || value === null || level >= LEVELS) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      const lower = name.toLowerCase();
      return [lower, lower === 'headers' ? inner : withLowerNames(inner, level + 1)];
    }),
  );
}
