import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Reports at the end of a run how many tests were skipped without a program or a right, and how to install it. */
export default class MissingPrograms implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const [, reason] = /\(skipped: ([^)]+)\)/.exec(`${test.fullName} ${noteOf(test)}`) ?? [];
        if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    }
    for (const [reason, count] of counts) console.log(`Skipped ${count} ${count === 1 ? 'test' : 'tests'}: ${reason}`);
    if (counts.size > 0) console.log('');
  }
}

/** Returns the note that a test passed to `context.skip`. */
function noteOf(test: TestCase): string {
  const result = test.result();
  return (result.state === 'skipped' && result.note) || '';
}
