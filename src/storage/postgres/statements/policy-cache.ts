import type { QueryArrayConfig, QueryArrayResult } from 'pg';
import type { StatementText } from './sql.js';

/** Maximum number of answers in memory. */
const ANSWERS_MAX = 2_000;

/** The answer to a query of policies. It is that of a version, or of a later one. */
interface PolicyRead {
  statement: StatementText;
  values: unknown[];
  answer: QueryArrayResult;
  version: number;
}

/**
 * Keeps the answers to queries of policies: tables that seldom change and decide what happens to an email, such as rules
 * and suppressions. Triggers count their changes in the ledger. A transaction uses these answers before it locks the
 * ledger, and checks them afterwards.
 */
export class PolicyCache {
  /** The version of all answers, as of the last lock. */
  #version = -1;
  readonly #answers = new Map<string, PolicyRead>();
  /** The answers that the transaction has used before the lock. */
  readonly #used = new Map<string, PolicyRead>();
  readonly #changed = new Set<string>();

  /** Forgets all answers: after a failover, the database may have other ones of the same version. */
  forget(): void {
    this.#version = -1;
    this.#answers.clear();
    for (const read of this.#used.values()) read.version = -1;
  }

  begin(): void {
    this.#used.clear();
    this.#changed.clear();
  }

  /** Whether the transaction has used answers that are not checked yet. */
  get isUsed(): boolean {
    return this.#used.size > 0;
  }

  /** Records that the transaction changes a table, whose answers it has to read again. */
  change(table: string): void {
    this.#changed.add(table);
  }

  isChanged({ policy }: StatementText): boolean {
    return this.#changed.has(policy);
  }

  /** Returns a kept answer; undefined if the query must run. */
  use(statement: StatementText, values: unknown[], isLocked: boolean): QueryArrayResult | undefined {
    const key = keyOf(statement, values);
    const read = this.#answers.get(key);
    if (!read || this.isChanged(statement)) return undefined;
    if (!isLocked) this.#used.set(key, read);
    return read.answer;
  }

  /** Keeps an answer from before the lock, which has to be checked, or from after it. */
  keep(statement: StatementText, values: unknown[], answer: QueryArrayResult, version?: number): void {
    if (this.isChanged(statement)) return;
    if (this.#answers.size >= ANSWERS_MAX) this.#answers.clear();
    const read = { statement, values, answer, version: version ?? this.#version };
    this.#answers.set(keyOf(statement, values), read);
    if (version !== undefined) this.#used.set(keyOf(statement, values), read);
  }

  /**
   * Reads used answers again that may have changed until a version, and forgets all others of earlier ones. Returns
   * whether all of them are the same.
   */
  async refresh(version: number, run: (query: QueryArrayConfig) => Promise<QueryArrayResult>): Promise<boolean> {
    const outdated = [...this.#used.values()].filter((read) => read.version !== version);
    this.#used.clear();
    this.#version = version;
    for (const [key, read] of this.#answers) if (read.version !== version) this.#answers.delete(key);
    const answers = await Promise.all(outdated.map(({ statement, values }) => run(statement.query(values))));
    let isSame = true;
    for (const [index, { statement, values, answer }] of outdated.entries()) {
      const current = answers[index] as QueryArrayResult;
      isSame &&= JSON.stringify(current.rows) === JSON.stringify(answer.rows);
      this.keep(statement, values, current);
    }
    return isSame;
  }
}

function keyOf({ policy, id }: StatementText, values: unknown[]): string {
  return `${policy} ${id} ${JSON.stringify(values)}`;
}
