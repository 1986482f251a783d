import { useMemo, useState } from 'react';
import { readStored, writeStored } from '../../../../app/theme.js';

/** The values of a template's variables for previews and tests, kept in this browser. */
export interface Sample {
  /** The values as JSON. */
  text: string;
  /** Empty while the JSON is invalid. */
  values: Readonly<Record<string, unknown>>;
  /** What is wrong with the JSON, and its position if the browser reports one. */
  error: { message: string; line?: number; column?: number } | undefined;
  setText(text: string): void;
  /** Sets a value, or removes it with undefined. */
  set(name: string, value: string | undefined): void;
}

const PREFIX = 'svc-template-sample ';

export function useSample(id: string): Sample {
  const [text, setState] = useState(() => readStored(PREFIX + id) ?? '{}');
  return useMemo(() => {
    const { values, error } = parse(text);
    const setText = (next: string) => {
      setState(next);
      writeStored(PREFIX + id, next);
    };
    return {
      text,
      values,
      error,
      setText,
      set(name, value) {
        const others = Object.entries(values).filter(([each]) => each !== name);
        const next = value === undefined ? others : [...others, [name, value]];
        // The order of the fields, so that typing does not move them.
        next.sort(([one], [other]) => (one as string).localeCompare(other as string));
        setText(JSON.stringify(Object.fromEntries(next), null, 2));
      },
    };
  }, [id, text]);
}

export function removeSample(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // Then it kept none.
  }
}

function parse(text: string): Pick<Sample, 'values' | 'error'> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { values: value as Record<string, unknown>, error: undefined };
    }
    return { values: {}, error: { message: 'must be a JSON object, such as {"name": "Ada"}', line: 1, column: 1 } };
  } catch (error) {
    const { message } = error as Error;
    // Browsers word it differently; most add the position.
    const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? [];
    return { values: {}, error: { message, ...(line && { line: Number(line), column: Number(column) }) } };
  }
}
