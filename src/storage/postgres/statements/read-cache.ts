import type { QueryArrayResult } from 'pg';
import type { StatementText } from './sql.js';

/**
 * The answers to the reads of a transaction. They stay right until the transaction itself changes a table, because no
 * other process writes meanwhile.
 */
export class ReadCache {
  readonly #answers = new Map<StatementText, Map<string, Promise<QueryArrayResult>>>();

  answer(
    statement: StatementText,
    values: unknown[],
    read: () => Promise<QueryArrayResult>,
  ): Promise<QueryArrayResult> {
    let answers = this.#answers.get(statement);
    if (!answers) {
      answers = new Map();
      this.#answers.set(statement, answers);
    }
    const key = JSON.stringify(values);
    let answer = answers.get(key);
    if (!answer) {
      answer = read();
      answers.set(key, answer);
    }
    return answer;
  }

  /** Drops the answers from a table that changes. */
  drop(table: string): void {
    for (const statement of this.#answers.keys()) if (statement.words.has(table)) this.#answers.delete(statement);
  }

  clear(): void {
    this.#answers.clear();
  }
}
