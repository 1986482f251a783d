/** Writes the types of every operation from the contract, without zod: `src/client/operations.ts` for the package. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { comment, typeOf } from './schema-types.js';

const CONTRACT = `
export { service } from './src/contract/service/endpoints.ts';
export { control } from './src/contract/control/endpoints.ts';
export { ClockState } from './src/contract/control/simulation/clock.ts';
export { Rule } from './src/contract/control/simulation/outcomes.ts';
export { ServerInfo } from './src/contract/control/server.ts';
export { CapturedEmail, NearMiss } from './src/contract/control/emails/captured-email.ts';
export { outcomes } from './src/contract/vocabulary/outcomes.ts';
export { events, EventTypeName } from './src/contract/webhook-events.ts';
export { PAYLOAD_VERSION } from './src/contract/vocabulary/headers.ts';
export { inlineSchema, SchemaRegistry, serviceSchemas } from './src/contract/openapi/schemas.ts';
`;

const HEADER = '/** Generated from the contract. */\n\n';

export async function operationTypes(root) {
  const contract = await load(root);
  const { SchemaRegistry, serviceSchemas, events, outcomes, PAYLOAD_VERSION } = contract;
  const { ClockState, Rule, ServerInfo, CapturedEmail, NearMiss, EventTypeName } = contract;
  const { sent, received, both } = serviceSchemas;
  const registry = new SchemaRegistry({
    sent,
    received: { ...received, ClockState, Rule, ServerInfo, CapturedEmail, NearMiss },
    both: { ...both, EventType: EventTypeName },
  });
  const service = operations(contract, registry, 'service');
  const control = operations(contract, registry, 'control');
  const payloads = Object.entries(events).map(([type, data]) => {
    registry.reference(data, 'output', `${pascal(type)}Data`);
    const fields = `id: string; type: '${type}'; created_at: string; version: ${JSON.stringify(PAYLOAD_VERSION)};`;
    return `  '${type}': { ${fields} data: ${pascal(type)}Data };\n`;
  });
  const named = Object.entries(registry.components()).map(([name, schema]) => declaration(name, schema));
  const outcome = `export type Outcome = ${outcomes.map((name) => `'${name}'`).join(' | ')};\n`;
  return [
    HEADER,
    ...named,
    outcome,
    `\n/** The body of a webhook request, by the type of its event. */\nexport interface WebhookEvents {\n${payloads.join('')}}\n`,
    `\n/** The request and the result of each operation of the service. */\nexport interface ServiceOperations {\n${service}}\n`,
    `\n/** The request and the result of each operation of the control API, which only the local server has. */\n`,
    `export interface ControlOperations {\n${control}}\n`,
  ].join('');
}

function declaration(name, schema) {
  return `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`;
}

function operations(contract, registry, api) {
  const prefix = api === 'service' ? '' : 'Control';
  return Object.entries(contract[api])
    .map(([name, { summary, params, query, body, response, accepts }]) => {
      const parts = [];
      const indent = '    ';
      if (params) parts.push(`params: ${typeOf(contract.inlineSchema(params, 'input'), { loose: true, indent })}`);
      if (query)
        parts.push(`query?: ${typeOf(contract.inlineSchema(query, 'input'), { loose: true, indent, optional: true })}`);
      if (accepts) parts.push('body: AsyncIterable<Uint8Array>');
      else if (body) parts.push(`body: ${typeOf(registry.reference(body, 'input', `${prefix}${pascal(name)}Body`))}`);
      const result = response
        ? typeOf(registry.reference(response, 'output', `${prefix}${pascal(name)}Data`))
        : 'undefined';
      const request = parts.length > 0 ? `{ ${parts.join('; ')} }` : 'object';
      return `${comment(`${summary}.`, '  ')}  '${name}': { request: ${request}; result: ${result} };\n`;
    })
    .join('');
}

function pascal(name) {
  return name.replace(/(?:^|[._-])(\w)/g, (_, letter) => letter.toUpperCase());
}

/** Loads the contract, which is TypeScript. */
async function load(root) {
  const folder = mkdtempSync(join(root, 'node_modules/.svc-contract-'));
  try {
    const file = join(folder, 'contract.mjs');
    const { outputFiles } = await build({
      stdin: { contents: CONTRACT, resolveDir: root, sourcefile: 'contract.ts' },
      absWorkingDir: root,
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      logLevel: 'warning',
    });
    writeFileSync(file, outputFiles[0].contents);
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
