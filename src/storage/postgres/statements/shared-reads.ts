import type { QueryArrayResult } from 'pg';
import type { StatementText } from './statement-text.js';

interface Running {
  answer: Promise<QueryArrayResult>;
  /** The answer for callers since then: `answer` may be older than what they must see. */
  next?: Promise<QueryArrayResult>;
}

/** Runs a read once for all callers that wait for the same one, such as that of an API key. */
export class SharedReads {
  readonly #running = new Map<StatementText, Map<string, Running>>();

  constructor(private readonly run: (statement: StatementText, values: unknown[]) => Promise<QueryArrayResult>) {}

  answer(statement: StatementText, values: unknown[]): Promise<QueryArrayResult> {
    let ofStatement = this.#running.get(statement);
    if (!ofStatement) {
      ofStatement = new Map();
      this.#running.set(statement, ofStatement);
    }
    const key = JSON.stringify(values);
    const running = ofStatement.get(key);
    if (!running) return this.#start(ofStatement, key, statement, values);
    const start = () => this.#start(ofStatement, key, statement, values);
    running.next ??= running.answer.then(start, start);
    return running.next;
  }

  #start(
    ofStatement: Map<string, Running>,
    key: string,
    statement: StatementText,
    values: unknown[],
  ): Promise<QueryArrayResult> {
    const running: Running = { answer: this.run(statement, values) };
    ofStatement.set(key, running);
    const end = () => {
      // Otherwise the next one has taken its place.
      if (!running.next) ofStatement.delete(key);
      if (ofStatement.size === 0) this.#running.delete(statement);
    };
    running.answer.then(end, end);
    return running.answer;
  }
}
