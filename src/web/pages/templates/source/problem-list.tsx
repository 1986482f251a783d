import { useState } from 'react';
import { plural } from '../../../components/format.js';
import type { Problem } from './analyze.js';
import styles from './source-pane.module.css';

const NAMES: Record<Problem['part'], string> = { subject: 'Subject', html: 'HTML', text: 'Text', json: 'Sample data' };
const SHOWN = 5;

/** What is wrong with the template. A click goes there. */
export function ProblemList({ problems, onOpen }: { problems: readonly Problem[]; onOpen(problem: Problem): void }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? problems : problems.slice(0, SHOWN);
  if (problems.length === 0) return null;
  return (
    <section className={styles.problems} aria-label="Problems">
      <h2>{plural(problems.length, 'problem')}</h2>
      <ul>
        {shown.map((problem) => (
          <li key={`${problem.part} ${problem.range?.from} ${problem.message}`}>
            <button type="button" onClick={() => onOpen(problem)}>
              <span className={styles.position}>{positionOf(problem)}</span> <bdi>{problem.message}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < problems.length && (
        <button type="button" onClick={() => setOpen(true)}>
          Show all problems
        </button>
      )}
    </section>
  );
}

function positionOf(problem: Problem): string {
  const part = NAMES[problem.part];
  const position = problem.position();
  return position ? `${part}, line ${position.line}, column ${position.column}:` : `${part}:`;
}
