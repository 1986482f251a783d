import { writeFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { BaseCommand } from '../src/cli/command/base-command.js';
import { UsageError } from '../src/cli/errors/exit-codes.js';
import { describeFileError } from '../src/cli/errors/fs-errors.js';
import { safeJson } from '../src/cli/output/text.js';
import { controlDocument } from '../src/contract/openapi/control-document.js';
import { serviceDocument } from '../src/contract/openapi/service-document.js';
import { CONTROL_PREFIX, DEFAULT_HTTP_PORT, SERVICE_PREFIX } from '../src/contract/vocabulary/routes.js';
import { trimEndOf } from '../src/contract/vocabulary/text.js';
import { version } from '../src/version.js';

const LOCAL_SERVER = `http://127.0.0.1:${DEFAULT_HTTP_PORT}${SERVICE_PREFIX}`;

export default class OpenApi extends BaseCommand {
  static override summary = 'Print the service’s OpenAPI 3.1 document';

  static override description =
    'Needs no server: the document is generated from the contract that the server and the CLI share. A running local ' +
    'server also serves it at /v1/openapi.json, and as a web page at /docs. With --control, prints the document of the ' +
    'control API instead, which only the local server has.';

  static override examples = [
    { description: 'Write the document to a file', command: '<%= config.bin %> openapi -o openapi.json' },
    {
      description: 'Set the address of the service',
      command: '<%= config.bin %> openapi --base-url https://api.example.com/v1',
    },
    { description: 'Print the control API of the local server', command: '<%= config.bin %> openapi --control' },
  ];

  static override flags = {
    control: Flags.boolean({ description: 'Print the document of the local server’s control API (/_svc).' }),
    output: Flags.string({ char: 'o', description: 'File to write to (default: stdout).', helpValue: 'FILE' }),
    'base-url': Flags.string({
      description: 'Address of the service in the document.',
      helpValue: 'URL',
      default: LOCAL_SERVER,
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(OpenApi);
    const url = flags['base-url'];
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new UsageError(`--base-url must be an http or https URL, such as ${LOCAL_SERVER}.`);
    }
    const document = flags.control ? controlOf(trimEndOf(url, '/')) : serviceOf(trimEndOf(url, '/'));
    // Patterns have characters that a terminal would obey or not show.
    const text = `${safeJson(JSON.stringify(document, undefined, flags.json ? undefined : 2))}\n`;
    if (flags.output === undefined) {
      process.stdout.write(text);
      return;
    }
    await writeFile(flags.output, text).catch((error: Error) => {
      throw new UsageError(`--output: cannot write ${flags.output}: ${describeFileError(error)}.`);
    });
    this.info(`Wrote ${flags.output}.`);
  }
}

function serviceOf(url: string): object {
  const description = url === LOCAL_SERVER ? 'The local server' : 'The service';
  return serviceDocument({ version, server: { url, description } });
}

/** Returns the control API's document. The base URL may be that of the service on the same server. */
function controlOf(url: string): object {
  const own = url.endsWith(SERVICE_PREFIX) ? url.slice(0, -SERVICE_PREFIX.length) + CONTROL_PREFIX : url;
  return controlDocument({ version, server: { url: own, description: 'The local server' } });
}
