import type { Answered } from '../support/servers/recording-proxy.js';
import type { Fixture } from './fixture.js';
import type { Resources } from './resources.js';

/**
 * Describes what the script contract needs to know about a command. Everything else (unknown flags, missing arguments,
 * an unreachable server, a wrong key …) follows from `oclif.manifest.json` and from `calls`.
 */
interface Row<Calls, Prepared> {
  /** The command as it is typed: `emails list`. */
  command: string;
  /** What is special about this run, for a command with several rows; the first one stands for the command. */
  when?: string;
  /**
   * What the command calls: the service, in the shape of a server without a control API; the local server's control
   * API; the server of the data directory, which must run, or which is optional; or nothing.
   */
  calls: Calls;
  /** Returns the arguments of a run that succeeds, created for each run, because some runs use up what they name. */
  args?(fixture: Prepared): string[] | Promise<string[]>;
  input?: string;
  /** The exit code of that run (default: 0). */
  code?: number;
  /** Returns what --json prints, when that is not the `data` of the last response. */
  prints?(fixture: Fixture, answered: Answered[]): unknown;
  /** stdout is content, byte for byte: it has no JSON form, or the bytes are unchanged. */
  content?: 'with --json too' | 'without --json';
  /** Why no control characters are planted in the server's texts. */
  controlCharactersExemption?: string;
  /** Whether it needs a server that no other run uses. */
  alone?: true;
  /** Flags or arguments with a wrong value. --timeout stands for those of every command that calls a server. */
  wrong?: string[];
  /** Whether it prints on stdout why the call fails: a wrong key, an unreachable server. */
  explainsFailure?: true;
  /** What it prints on stdout without --json when its server is unreachable, if anything. */
  unreachable?: string;
  /** The exit code for invalid usage (default: 2). */
  usageCode?: number;
  /** Arguments that name something that does not exist: exit code 1. */
  unknown?: string[];
  /** Whether it has --yes, and asks only because of one of its flags. */
  asksForAFlag?: true;
  /** Set when it runs until it is stopped. */
  longRunning?: {
    /** The stream whose first line, apart from the server's address, shows that it has started. */
    readyOn: 'stdout' | 'stderr';
    /** Causes a line of stdout. */
    trigger(fixture: Fixture): Promise<unknown>;
    exits: { SIGINT: number; SIGTERM: number };
    /** Whether it continues after its reader has closed the pipe. */
    outlivesReader?: true;
  };
}

/** The row of a command that calls the service also runs in front of a service that answers in other forms. */
export type ServiceSpec = Row<'service', Resources>;
export type LocalSpec = Row<'control' | 'running server' | 'data directory' | 'nothing', Fixture>;
export type CommandSpec = ServiceSpec | LocalSpec;
