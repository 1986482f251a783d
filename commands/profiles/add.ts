import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { checkBaseUrl } from '../../src/cli/flags/values/urls.js';
import { checkKey } from '../../src/cli/target/api-key-source.js';
import { networkFetch } from '../../src/cli/target/network-fetch.js';
import { LOCAL_PROFILE, maskKey, readProfiles, refuseLocalKey, writeProfiles } from '../../src/cli/target/profiles.js';
import { remoteAnswers, userAgent } from '../../src/cli/target/target.js';
import { readSecret } from '../../src/cli/terminal/prompt.js';
import { Client } from '../../src/client/client.js';
import { ApiFailure } from '../../src/client/failures.js';
import { API_KEY_FORM } from '../../src/contract/vocabulary/access.js';

export default class ProfilesAdd extends BaseCommand {
  static override summary = 'Save a server’s address and API key as a profile';

  static override description =
    'Asks for the API key on a terminal; otherwise, reads it from stdin with --api-key-stdin, or from ' +
    'SVC_API_KEY, and never from the command line, where other users of the machine could read it. Refuses the ' +
    'local server’s key for another server, and warns of a key that the server refuses. Replaces an existing ' +
    'profile of the same name.';

  static override examples = [
    '<%= config.bin %> profiles add production --base-url https://api.example.com/v1',
    'pass show svc/production | <%= config.bin %> profiles add production --base-url https://api.example.com/v1 --api-key-stdin',
  ];

  static override args = { name: Args.string({ description: 'Name of the profile.', required: true }) };

  static override flags = {
    'base-url': Flags.string({
      description: 'Address of the service, ending in /v1.',
      required: true,
      helpValue: 'URL',
    }),
    'api-key-stdin': Flags.boolean({ description: 'Read the API key from stdin.' }),
    use: Flags.boolean({ description: 'Make it the current profile.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesAdd);
    const { name } = args;
    if (!/^[\w.-]{1,64}$/.test(name))
      throw new UsageError('The profile name must be 1 to 64 letters, digits, ".", "_" or "-".');
    if (name === LOCAL_PROFILE) throw new UsageError('The profile "local" is reserved for the local server.');
    const base_url = checkBaseUrl(flags['base-url'], '--base-url');
    const { value: api_key, source } = await readSecret('API key', {
      variable: 'SVC_API_KEY',
      flag: flags['api-key-stdin'] ? '--api-key-stdin' : undefined,
      input: flags.input,
      inform: (text) => this.info(text),
    });
    checkKey(api_key, source);
    if (source === 'SVC_API_KEY') this.info('Using the API key of SVC_API_KEY.');
    if (!API_KEY_FORM.test(api_key)) throw new UsageError('The API key must start with svc_test_ or svc_live_.');
    refuseLocalKey(api_key, base_url, process.env);
    const file = readProfiles(process.env);
    // The computed name keeps a profile named __proto__; an assignment would set the prototype instead.
    file.profiles = { ...file.profiles, [name]: { base_url, api_key } };
    if (flags.use) file.current = name;
    writeProfiles(process.env, file);
    const problem = await this.#problemOf(base_url, api_key);
    if (problem !== undefined) this.printWarning(problem);
    if (file.current !== name)
      this.info(`To use it for every command, run: svc profiles use ${name}. For one: --profile ${name}`);
    this.print({ name, base_url, current: file.current === name }, () => `${name}  ${base_url}  ${maskKey(api_key)}\n`);
  }

  /** Asks the server once, and returns why it refuses the key. It does not warn of an unreachable server. */
  async #problemOf(baseUrl: string, apiKey: string): Promise<string | undefined> {
    const fetch = networkFetch(baseUrl, { timeoutSeconds: TIMEOUT_SECONDS, env: process.env });
    const client = new Client({ baseUrl, apiKey, userAgent, fetch, answers: remoteAnswers({}) });
    try {
      await client.call('templates.list', { query: { limit: 1 } });
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status === TOO_MANY || error.status >= 500) {
        this.info(
          `${error instanceof Error ? error.message : String(error)}. The profile was saved, and its key not checked.`,
        );
        return undefined;
      }
      if (error.status !== UNAUTHENTICATED) return undefined;
      return `${baseUrl} refuses this key: ${error.message} The profile was saved; add it again with another key.`;
    }
  }
}

/** Seconds for the check of the key. */
const TIMEOUT_SECONDS = 5;
const UNAUTHENTICATED = 401;
const TOO_MANY = 429;
