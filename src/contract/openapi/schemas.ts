import * as z from 'zod';
import { AddressString } from '../address.js';
import { Pagination, Timestamp } from '../fields.js';
import { Counters } from '../service/analytics.js';
import { ApiKey, CreatedApiKey, Environment } from '../service/api-keys.js';
import { AttachmentInput } from '../service/attachment-input.js';
import { DnsRecord, Domain, DomainStatus } from '../service/domains.js';
import { EmailDetail, EmailReceipt, EmailStatus, EmailSummary, Recipients, SendEmail } from '../service/emails.js';
import { CreateTemplate, RenderedTemplate, Template, UpdateTemplate } from '../service/templates.js';
import { Variables } from '../service/variables.js';
import { CreateWebhook, UpdateWebhook, Webhook } from '../service/webhooks.js';
import { EventTypeName } from '../webhook-events.js';

/** Converts the contract's schemas to the JSON Schema dialect of OpenAPI 3.1, draft 2020-12. */

export type JsonSchema = Record<string, unknown>;
/** Requests use a schema's input type, responses its output type. */
export type Direction = 'input' | 'output';

/** Schemas with names of their own, by direction. Every other schema is named after its operation. */
export type SchemaNames = Record<'sent' | 'received' | 'both', Record<string, z.ZodType>>;

const sent = {
  Address: AddressString,
  Recipients,
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
/** The named schemas of the service. */
export const serviceSchemas: SchemaNames = { sent, received, both };

/** Collects the schemas of the document's `components`, and returns references to them. */
export class SchemaRegistry {
  readonly #registries = {
    input: z.registry<{ id: string }>(),
    output: z.registry<{ id: string }>(),
  };

  constructor({ sent, received, both }: SchemaNames) {
    for (const [id, schema] of Object.entries({ ...sent, ...both })) this.#registries.input.add(schema, { id });
    for (const [id, schema] of Object.entries({ ...received, ...both })) this.#registries.output.add(schema, { id });
  }

  /** Returns a reference to a schema, and adds the schema under `id` if it has no name yet. */
  reference(schema: z.ZodType, direction: Direction, id: string): { $ref: string } {
    const registry = this.#registries[direction];
    if (!registry.has(schema)) registry.add(schema, { id });
    return { $ref: refTo(registry.get(schema)?.id ?? id) };
  }

  /** Returns every named schema. */
  components(): Record<string, JsonSchema> {
    const components: Record<string, JsonSchema> = {};
    for (const direction of ['input', 'output'] as const) {
      const { schemas } = z.toJSONSchema(this.#registries[direction], { ...conversion(direction), uri: refTo });
      for (const [id, schema] of Object.entries(schemas)) components[id] = withoutIdentity(schema as JsonSchema);
    }
    return components;
  }
}

/** Returns a schema to include where it is used, without a reference. */
export function inlineSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, conversion(direction)) as JsonSchema);
}

function refTo(id: string): string {
  return `#/components/schemas/${id}`;
}

/** Keywords that do not restrict values. */
const annotations = new Set(['description', 'examples', 'default', 'title', 'deprecated']);

function conversion(io: Direction) {
  return {
    io,
    target: 'draft-2020-12' as const,
    override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }) => {
      // Allows unknown fields in responses: the service may add a field, and a generated client must not fail on it.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      const { def } = zodSchema._zod;
      // A declared pattern combines those of the checks.
      if (jsonSchema.pattern !== undefined) delete jsonSchema.allOf;
      // zod omits the default of a transformed value, but it still applies to the caller.
      if (def.type === 'default') jsonSchema.default ??= (def as z.core.$ZodDefaultDef).defaultValue;
      // zod adds the bounds of a JavaScript integer, which JSON does not have.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.minLength === 0) delete jsonSchema.minLength;
      // The format already describes the value. zod's pattern has several hundred characters.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
      if (def.type === 'record') delete jsonSchema.propertyNames;
      const { override } = jsonSchema;
      if (override === undefined) return;
      // zod cannot describe the input of a transform, so the contract defines its JSON Schema.
      for (const key of Object.keys(jsonSchema)) if (!annotations.has(key)) delete jsonSchema[key];
      const examples = z.globalRegistry.get(zodSchema as z.ZodType)?.examples;
      Object.assign(jsonSchema, override, examples && { examples });
    },
  };
}

function withoutIdentity({ $schema: _schema, $id: _id, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
