import type { Answered } from '../support/servers/recording-proxy.js';
import type { Fixture } from './fixture.js';

/**
 * What the script contract needs to know of a command. Everything else (unknown flags, missing arguments, a server that is
 * not there, a key that is wrong …) follows from `oclif.manifest.json` and from `calls`.
 */
export interface CommandSpec {
  /** As it is typed: `emails list`. */
  command: string;
  /** What is special about this run, for a command with several rows; the first one stands for the command. */
  when?: string;
  /**
   * What the command talks to: the service, in the shape of a server without a control API; the local server's control API;
   * the server of the data directory, which must run, or for which it can do without; or nothing.
   */
  calls: 'service' | 'control' | 'running server' | 'data directory' | 'nothing';
  /** Arguments of a run that works, made for each run, because some runs use up what they name. */
  args?(fixture: Fixture): string[] | Promise<string[]>;
  input?: string;
  /** The exit code of that run; 0 when absent. */
  code?: number;
  /** What --json prints, when that is not the `data` of the last response. */
  prints?(fixture: Fixture, answered: Answered[]): unknown;
  /** stdout is content, byte for byte: there is no JSON form, or the bytes are as they are. */
  content?: 'with --json too' | 'without --json';
  /** Why no control characters are planted in what the server says. */
  controlCharactersExemption?: string;
  /** Needs a server that no other run uses. */
  alone?: true;
  /** Flags or arguments of which a value is wrong. --timeout stands for those of every command that calls a server. */
  wrong?: string[];
  /** What it prints on stdout is why the call fails: a wrong key, a server that is not there. */
  explainsFailure?: true;
  /** Arguments that name what is not there: exit code 1. */
  unknown?: string[];
  /** It has --yes, and asks only for what one of its flags does. */
  asksForAFlag?: true;
  /** Runs until it is stopped. */
  longRunning?: {
    /** The stream whose first line, but for the server's address, says that it has begun. */
    readyOn: 'stdout' | 'stderr';
    /** Brings about a line of stdout. */
    trigger(fixture: Fixture): Promise<unknown>;
    exits: { SIGINT: number; SIGTERM: number };
    /** Also when its reader goes away, it goes on. */
    outlivesReader?: true;
  };
}
