import type { ServiceSpec } from '../../script-contract/command-spec.js';
import { firstSpecs } from '../../script-contract/commands/index.js';
import { Resources } from '../../script-contract/resources.js';
import type { TestApp } from '../../support/servers/app.js';

/** A command of the service's endpoints, with what it needs on the server and in its directory. */
export interface TestedCommand extends Pick<ServiceSpec, 'input' | 'code'> {
  name: string;
  /** Creates what the command needs, and returns its arguments. */
  prepare(app: TestApp, folder: string): Promise<string[]>;
  /** Whether it runs until a signal. */
  untilStopped?: true;
}

/** They show in a browser what `emails get` reads. */
const IN_A_BROWSER = ['emails open', 'emails screenshot'];

/** What commands need besides their rows: another use of the same endpoints. */
const FURTHER: (Pick<TestedCommand, 'name' | 'code' | 'untilStopped'> & Pick<ServiceSpec, 'command' | 'args'>)[] = [
  {
    name: 'emails list --all',
    command: 'emails list',
    args: async (resources) => {
      await resources.email({ tags: ['all'] });
      return ['--all', '--tag', 'all'];
    },
  },
  {
    name: 'emails get latest',
    command: 'emails get',
    args: async (resources) => {
      await resources.email();
      return ['latest'];
    },
  },
  {
    name: 'templates get by name',
    command: 'templates get',
    args: async (resources) => [(await resources.template()).name],
  },
  {
    name: 'templates push --force',
    command: 'templates push',
    args: async (resources) => {
      const { name } = await resources.template();
      resources.writeTemplate(name);
      resources.write(`templates/${name}/body.html`, '<p>Other</p>');
      resources.writeTemplate(`${name}-new`);
      return ['--force', '--yes'];
    },
  },
  {
    name: 'templates diff of contents',
    command: 'templates diff',
    code: 3,
    args: async (resources) => {
      const { name } = await resources.template();
      resources.writeTemplate(name);
      resources.write(`templates/${name}/body.html`, '<p>Other</p>');
      return [];
    },
  },
  {
    name: 'webhooks listen',
    command: 'webhooks listen',
    code: 143,
    untilStopped: true,
    args: ({ unique }) => [
      ...['--forward-to', ':1/x', '--events', 'email.complained'],
      ...['--public-url', `https://${unique}.example`, '--port', '0', '--no-input'],
    ],
  },
];

let count = 0;

/** The resources of one run, on an app in memory. */
class RunResources extends Resources {
  constructor(
    private readonly app: TestApp,
    folder: string,
  ) {
    count += 1;
    super(folder, `case-${count}`);
  }

  override async post(path: string, body: object) {
    const { json } = await this.app.call('POST', path, body);
    return json.data;
  }
}

/** The first row of every command that calls the service, and further ones. */
export const TESTED_COMMANDS: TestedCommand[] = [
  ...firstSpecs
    .filter((spec) => spec.calls === 'service')
    .filter(({ command }) => !IN_A_BROWSER.includes(command))
    .map((spec) => ({ name: spec.command, ...spec })),
  ...FURTHER,
].map(({ command, args, ...rest }) => ({
  ...rest,
  prepare: async (app, folder) => [...command.split(' '), ...((await args?.(new RunResources(app, folder))) ?? [])],
}));
