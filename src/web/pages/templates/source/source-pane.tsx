import { useRef, useState } from 'react';
import { useSearchParams } from 'wouter';
import { TextAreaField, TextField } from '../../../components/form/field.js';
import { plural } from '../../../components/format.js';
import { loadable } from '../../../components/loadable.js';
import { type DraftState, type Part, parts } from '../drafts.js';
import type { Sample } from '../sample/use-sample.js';
import type { Analysis, Problem } from './analyze.js';
import styles from './source-pane.module.css';
import sourcePane from './source-pane.module.css';

const CodeEditor = loadable(() => import('../../../components/code/code-editor.js').then((file) => file.CodeEditor));

interface Props {
  part: Part;
  draft: DraftState;
  sample: Sample;
  analysis: Analysis;
  onOpen(part: Part): void;
}

/** Name and subject, an editor for one part of the template or its sample data, and what is wrong. */
export function SourcePane({ part, draft: { content, change }, sample, analysis, onOpen }: Props) {
  const subject = useRef<HTMLInputElement>(null);
  const [target, setTarget] = useState<Problem>();
  const open = (next: Part, problem?: Problem) => {
    setTarget(problem && { ...problem, range: problem.range && { ...problem.range } });
    onOpen(next);
  };
  const go = (problem: Problem) => {
    if (problem.part !== 'subject') return open(problem.part, problem);
    subject.current?.focus();
    subject.current?.setSelectionRange(problem.range?.from ?? 0, problem.range?.to ?? 0);
  };
  return (
    <section className={styles.pane} aria-label="Content">
      <div className={styles.fields}>
        <TextField label="Name" value={content.name} onChange={({ target }) => change({ name: target.value })} />
        <TextField
          ref={subject}
          label="Subject"
          dir="auto"
          value={content.subject}
          onChange={({ target }) => change({ subject: target.value })}
        />
      </div>
      <Parts part={part} missing={analysis.missing.length} onOpen={open} />
      <div className={styles.content}>
        {part === 'data' ? (
          <SampleForm variables={analysis.variables} sample={sample} />
        ) : (
          <CodeEditor
            key={part}
            {...editorOf(part, content, sample, analysis)}
            selection={target?.part === part ? target.range : undefined}
            onChange={(text) => (part === 'json' ? sample.setText(text) : change({ [part]: text }))}
          />
        )}
      </div>
      <ProblemList problems={analysis.problems} onOpen={go} />
    </section>
  );
}

function editorOf(part: 'html' | 'text' | 'json', content: DraftState['content'], sample: Sample, { marks }: Analysis) {
  const html = { text: content.html, language: 'html', label: 'HTML of the template', marks: marks.html } as const;
  const text = { text: content.text, language: 'text', label: 'Text of the template', marks: marks.text } as const;
  const json = { text: sample.text, language: 'json', label: 'Sample data as JSON', marks: marks.json } as const;
  return { html, text, json }[part];
}

function Parts({ part, missing, onOpen }: { part: Part; missing: number; onOpen(part: Part): void }) {
  return (
    <div className={styles.parts} role="toolbar" aria-label="Parts of the template">
      {parts.map(({ name, title }) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === part}
          className={styles.choice}
          onClick={() => onOpen(name)}
        >
          {title}
          {name === 'data' && missing > 0 && <span className={styles.missing}> ({missing} missing)</span>}
        </button>
      ))}
    </div>
  );
}

const NAMES: Record<Problem['part'], string> = { subject: 'Subject', html: 'HTML', text: 'Text', json: 'Sample data' };
const SHOWN = 5;

/** What is wrong with the template. A click goes there. */
function ProblemList({ problems, onOpen }: { problems: readonly Problem[]; onOpen(problem: Problem): void }) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? problems : problems.slice(0, SHOWN);
  if (problems.length === 0) return null;
  return (
    <section className={sourcePane.problems} aria-label="Problems">
      <h2>{plural(problems.length, 'problem')}</h2>
      <ul>
        {shown.map((problem) => (
          <li key={`${problem.part} ${problem.range?.from} ${problem.message}`}>
            <button type="button" onClick={() => onOpen(problem)}>
              <span className={sourcePane.position}>{positionOf(problem)}</span> <bdi>{problem.message}</bdi>
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

interface SampleFormProps {
  /** The variables of the template, in their order. */
  variables: readonly string[];
  sample: Sample;
}

/** A field for each variable of the template. */
function SampleForm({ variables, sample }: SampleFormProps) {
  if (sample.error) return <p className={styles.note}>The sample data is not valid JSON. Open the JSON to fix it.</p>;
  const unused = Object.keys(sample.values).filter((name) => !variables.includes(name));
  return (
    <div className={styles.form}>
      {variables.length === 0 && (
        <p className={styles.note}>
          This template has no variables. A placeholder such as <code>{'{{name}}'}</code> adds one.
        </p>
      )}
      {variables.map((name) => (
        <ValueField key={name} name={name} sample={sample} />
      ))}
      {unused.length > 0 && <p className={styles.note}>Not used by the template: {unused.join(', ')}.</p>}
    </div>
  );
}

function ValueField({ name, sample: { values, set } }: { name: string; sample: Sample }) {
  const isMissing = !Object.hasOwn(values, name);
  const value = isMissing ? '' : textOf(values[name]);
  // An exchange of the field would take the focus.
  const [isLong] = useState(value.includes('\n'));
  const props = {
    label: name,
    value,
    dir: 'auto',
    hint: isMissing ? 'No value yet. The server refuses emails without it.' : undefined,
    onChange: ({ target }: { target: { value: string } }) => set(name, target.value === '' ? undefined : target.value),
  };
  return isLong ? <TextAreaField {...props} /> : <TextField {...props} />;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Returns the part in the address, and a function that opens another. */
export function usePart(): [Part, (part: Part) => void] {
  const [parameters, setParameters] = useSearchParams();
  const part = parts.find(({ name }) => name === parameters.get('part'))?.name ?? 'html';
  return [part, (next) => setParameters(next === 'html' ? {} : { part: next }, { replace: true })];
}
