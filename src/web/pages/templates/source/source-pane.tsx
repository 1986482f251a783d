import { useRef, useState } from 'react';
import { TextField } from '../../../components/form/field.js';
import { loadable } from '../../../components/loadable.js';
import type { DraftState } from '../editor/use-draft.js';
import { SampleForm } from '../sample/sample-form.js';
import type { Sample } from '../sample/use-sample.js';
import type { Analysis, Problem } from './analyze.js';
import { type Part, parts } from './parts.js';
import { ProblemList } from './problem-list.js';
import styles from './source-pane.module.css';

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
