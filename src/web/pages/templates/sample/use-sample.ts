import { jsonLanguage } from '@codemirror/lang-json';
import { useMemo, useState } from 'react';
import { readStored, writeStored } from '../../../app/theme.js';

interface Range {
  from: number;
  to: number;
}

/** The values of a template's variables for previews and tests, kept in this browser. */
export interface Sample {
  /** The values as JSON. */
  text: string;
  /** Empty while the JSON is invalid. */
  values: Readonly<Record<string, unknown>>;
  /** What is wrong with the JSON, and where. */
  error: { message: string; range: Range | undefined } | undefined;
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { values: {}, error: { message: 'invalid JSON', range: firstError(text) } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { values: value as Record<string, unknown>, error: undefined };
  }
  const range = { from: 0, to: text.length };
  return { values: {}, error: { message: 'must be a JSON object, such as {"name": "Ada"}', range } };
}

/** Returns where JSON is invalid. Errors of `JSON.parse` have no position in some browsers. */
function firstError(text: string): Range | undefined {
  let found: Range | undefined;
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) found ??= { from, to };
    },
  });
  return found;
}
