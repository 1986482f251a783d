import { useId } from 'react';
import type { Outcome } from '../../../../contract/vocabulary/outcome.js';
import styles from './outcome-field.module.css';
import type { OutcomeChoice } from './possible-outcomes.js';

interface Props {
  choices: readonly OutcomeChoice[];
  value: Outcome | undefined;
  onChange(outcome: Outcome): void;
}

/** A choice of one outcome. Those that are not possible have the reason. */
export function OutcomeField({ choices, value, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className={styles.field}>
      <legend>Outcome</legend>
      {choices.map(({ outcome, label, hint, isPossible }) => (
        <div key={outcome} className={styles.choice} data-possible={isPossible}>
          <input
            type="radio"
            id={`${id}-${outcome}`}
            name="outcome"
            value={outcome}
            checked={outcome === value}
            disabled={!isPossible}
            aria-describedby={`${id}-${outcome}-hint`}
            data-autofocus={outcome === value || undefined}
            onChange={() => onChange(outcome)}
          />
          <label htmlFor={`${id}-${outcome}`}>{label}</label>
          <span id={`${id}-${outcome}-hint`} className={styles.hint}>
            {hint}
          </span>
        </div>
      ))}
    </fieldset>
  );
}
