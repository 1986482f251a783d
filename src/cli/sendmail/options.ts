import { UnreachableError } from '../../client/failures.js';
import { CommandError, UsageError } from '../errors/exit-codes.js';

/**
 * Reads the arguments of sendmail, Postfix and msmtp, as getopt does: flags in one word, values attached or in the next
 * word.
 */

export interface SendmailOptions {
  /**
   * Message on stdin, SMTP on stdin and stdout, a question about the queue, or a run of the queue or of newaliases, which
   * do not exist here.
   */
  mode: 'message' | 'session' | 'queue' | 'nothing';
  recipients: string[];
  /** Also reads recipients from To, Cc and Bcc. */
  readsRecipients: boolean;
  /** A line with a dot does not end the message. */
  ignoresDots: boolean;
  /** The sender of the envelope; empty for the null sender. */
  sender: string | undefined;
  senderName: string | undefined;
  verbose: boolean;
  /** A run of the queue, unless there are recipients. */
  runsQueue: boolean;
  dsn: { notify?: string; ret?: string; envid?: string };
  dataDir: string | undefined;
  trustDataDir: boolean;
}

/** Flags with a value. Most are ignored, because they configure the delivery of real sendmail. */
const VALUE_FLAGS = 'ABCDFLMNORVXabdefhopqr';
/** Flags without a value that are ignored, such as `-U` (a first submission) and `-m` (also to the sender). */
const IGNORED_FLAGS = 'GUnmcsxTEKJ';
/** `-q` and `-d` take a value in the same word only: `-q15m`, `-d0.1`. */
const ATTACHED_ONLY = 'qd';

const MODES: Record<string, SendmailOptions['mode']> = { m: 'message', s: 'session', p: 'queue', i: 'nothing' };

/** Long flags of msmtp with a value that is ignored: svc has neither accounts nor a configuration for them. */
const IGNORED_LONG_FLAGS = ['--account', '--file', '--logfile'];

export function readSendmailOptions(argv: readonly string[]): SendmailOptions {
  const options: SendmailOptions = {
    mode: 'message',
    recipients: [],
    readsRecipients: false,
    ignoresDots: false,
    sender: undefined,
    senderName: undefined,
    verbose: false,
    runsQueue: false,
    dsn: {},
    dataDir: undefined,
    trustDataDir: false,
  };
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      options.recipients.push(...words.splice(0));
    } else if (word.startsWith('--')) {
      readLongFlag(word, words, options);
    } else if (word.startsWith('-') && word !== '-') {
      readFlags(word.slice(1), words, options);
    } else {
      options.recipients.push(word);
    }
  }
  if (options.runsQueue && options.recipients.length === 0 && !options.readsRecipients) options.mode = 'nothing';
  return options;
}

function readLongFlag(word: string, words: string[], options: SendmailOptions): void {
  const [name = '', attached] = word.split(/=(.*)/s, 2);
  if (attached === undefined && readSwitch(name, options)) return;
  const value = () => attached ?? takeValue(name, words);
  if (name === '--data-dir') options.dataDir = value();
  else if (name === '--from') setValue('f', value(), options);
  else if (IGNORED_LONG_FLAGS.includes(name)) value();
  else throw unknownFlag(name);
}

/** Reads a long flag without a value. Returns whether it is one. */
function readSwitch(name: string, options: SendmailOptions): boolean {
  if (name === '--trust-data-dir') options.trustDataDir = true;
  else if (name === '--read-recipients') options.readsRecipients = true;
  // The base class reads the first two; the address in From is the default anyway.
  else return ['--json', '--no-input', '--read-envelope-from'].includes(name);
  return true;
}

function readFlags(letters: string, words: string[], options: SendmailOptions): void {
  for (const [index, letter] of [...letters].entries()) {
    if (VALUE_FLAGS.includes(letter)) {
      const attached = letters.slice(index + 1);
      const value = attached !== '' || ATTACHED_ONLY.includes(letter) ? attached : takeValue(`-${letter}`, words);
      setValue(letter, value, options);
      return;
    }
    if (letter === 't') options.readsRecipients = true;
    else if (letter === 'i') options.ignoresDots = true;
    else if (letter === 'v') options.verbose = true;
    else if (letter === 'I') options.mode = 'nothing';
    else if (!IGNORED_FLAGS.includes(letter)) throw unknownFlag(`-${letter}`);
  }
}

function setValue(letter: string, value: string, options: SendmailOptions): void {
  if (letter === 'f' || letter === 'r') options.sender = value.replace(/^<(.*)>$/, '$1');
  else if (letter === 'F') options.senderName = value;
  else if (letter === 'N') options.dsn.notify = value;
  else if (letter === 'R') options.dsn.ret = value;
  else if (letter === 'V') options.dsn.envid = value;
  else if (letter === 'o' && value === 'i') options.ignoresDots = true;
  else if (letter === 'b') options.mode = modeOf(value);
  else if (letter === 'q') options.runsQueue = true;
}

function modeOf(value: string): SendmailOptions['mode'] {
  const mode = MODES[value];
  if (mode) return mode;
  throw new UsageError(`Mode -b${value} is unsupported.`, 'Use -bm (the default), -bs or -bp.');
}

function takeValue(flag: string, words: string[]): string {
  const value = words.shift();
  if (value !== undefined) return value;
  throw new UsageError(`Flag ${flag} needs a value.`);
}

function unknownFlag(flag: string): UsageError {
  return new UsageError(`Unknown flag: ${flag}`, 'Run "svc sendmail --help" to see all flags.');
}

/** The exit codes of sendmail (sysexits.h), which its callers read: 75 means that they may try again. */
export const sysexits = {
  ok: 0,
  usage: 64,
  noUser: 67,
  unavailable: 69,
  software: 70,
  temporaryFailure: 75,
  permission: 77,
  configuration: 78,
} as const;

/** A message was not accepted. */
export class SendmailError extends CommandError {
  constructor(
    message: string,
    readonly exitCode: number,
    hint?: string,
  ) {
    super(message, hint);
  }
}

export function sysexitOf(error: unknown): number {
  if (error instanceof SendmailError) return error.exitCode;
  if (error instanceof UsageError) return sysexits.usage;
  if (error instanceof UnreachableError) return sysexits.temporaryFailure;
  if (error instanceof CommandError) return sysexits.configuration;
  return sysexits.software;
}
