import { z } from 'zod';
import { AddressString } from '../address.js';
import { Pagination, Timestamp } from '../fields.js';
import { Counters } from '../service/analytics.js';
import { ApiKey, CreatedApiKey, Environment } from '../service/api-keys.js';
import { DnsRecord, Domain, DomainStatus } from '../service/domains.js';
import { AttachmentInput, EmailDetail, EmailReceipt, EmailStatus, EmailSummary, SendEmail } from '../service/emails.js';
import { CreateTemplate, RenderedTemplate, Template, UpdateTemplate } from '../service/templates.js';
import { Variables } from '../service/variables.js';
import { CreateWebhook, UpdateWebhook, Webhook } from '../service/webhooks.js';
import { EventTypeName } from '../webhook-events.js';

/** JSON Schemas of the contract, as OpenAPI 3.1 takes them: draft 2020-12. */

export type JsonSchema = Record<string, unknown>;
/** A request is described as it is sent, a response as it is received. */
export type Direction = 'input' | 'output';

/** Shapes that have a name of their own. Everything else is named after the operation it belongs to. */
const sent = {
  Address: AddressString,
  TemplateVariables: Variables,
  SendEmail,
  AttachmentInput,
  CreateTemplate,
  UpdateTemplate,
  CreateWebhook,
  UpdateWebhook,
};
const received = {
  EmailSummary,
  EmailReceipt,
  EmailDetail,
  Template,
  RenderedTemplate,
  Domain,
  DnsRecord,
  ApiKey,
  CreatedApiKey,
  Webhook,
  Counters,
  Pagination,
};
const both = { Timestamp, EmailStatus, DomainStatus, Environment, EventType: EventTypeName };

/** Gives schemas their place under `components`, and answers with references to them. */
export class SchemaRegistry {
  readonly #registries = {
    input: z.registry<{ id: string }>(),
    output: z.registry<{ id: string }>(),
  };

  constructor() {
    for (const [id, schema] of Object.entries({ ...sent, ...both })) this.#registries.input.add(schema, { id });
    for (const [id, schema] of Object.entries({ ...received, ...both })) this.#registries.output.add(schema, { id });
  }

  /** A reference to a schema, which is listed under `id` unless it has a name already. */
  reference(schema: z.ZodType, direction: Direction, id: string): JsonSchema {
    const registry = this.#registries[direction];
    if (!registry.has(schema)) registry.add(schema, { id });
    return { $ref: refTo(registry.get(schema)?.id ?? id) };
  }

  /** Every schema that has a name. */
  components(): Record<string, JsonSchema> {
    const components: Record<string, JsonSchema> = {};
    for (const direction of ['input', 'output'] as const) {
      const { schemas } = z.toJSONSchema(this.#registries[direction], { ...conversion(direction), uri: refTo });
      for (const [id, schema] of Object.entries(schemas)) components[id] = withoutIdentity(schema as JsonSchema);
    }
    return components;
  }
}

/** A schema that stands where it is used. */
export function inlineSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, conversion(direction)) as JsonSchema);
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Says about a value what is not its shape. */
const annotations = new Set(['description', 'examples', 'default', 'title', 'deprecated']);

function conversion(io: Direction) {
  return {
    io,
    target: 'draft-2020-12' as const,
    override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }) => {
      // Responses stay open: the service may add a field, and a client made from this document must not break on it.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const { def } = zodSchema._zod;
      // A default is left out where the value is transformed on its way in; to a caller it is a default all the same.
      if (def.type === 'default') jsonSchema.default ??= (def as z.core.$ZodDefaultDef).defaultValue;
      // zod writes the bounds of an int out; a number in JSON has no others.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.minLength === 0) delete jsonSchema.minLength;
      // The format says what zod's pattern of several hundred characters says.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      if (def.type === 'record') delete jsonSchema.propertyNames;
      const { override } = jsonSchema;
      if (override === undefined) return;
      // What is read by a transform has no shape that zod could know: the contract states it.
      for (const key of Object.keys(jsonSchema)) if (!annotations.has(key)) delete jsonSchema[key];
      const examples = z.globalRegistry.get(zodSchema as z.ZodType)?.examples;
      Object.assign(jsonSchema, override, examples && { examples });
    },
  };
}

function withoutIdentity({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
