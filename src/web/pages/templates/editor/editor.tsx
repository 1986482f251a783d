import { useMemo } from 'react';
import { shortcutsOf } from '../../../app/shortcuts/parts.js';
import { useShortcuts } from '../../../app/shortcuts/shortcuts.js';
import { PreviewPane } from '../preview/preview-pane.js';
import { useSample } from '../sample/use-sample.js';
import { analyze } from '../source/analyze.js';
import { usePart } from '../source/parts.js';
import { SourcePane } from '../source/source-pane.js';
import type { Content } from '../types.js';
import { ChangedBanner } from './changed-banner.js';
import styles from './editor.module.css';
import { EditorHeader } from './editor-header.js';
import { useDraft } from './use-draft.js';
import { useSaving } from './use-saving.js';

/** The parts of a template, and next to them the email that they become. */
export function Editor({ id, saved }: { id: string; saved: Content }) {
  const draft = useDraft(id, saved);
  const saving = useSaving(id, draft);
  const sample = useSample(id, saved);
  const [part, openPart] = usePart();
  const { content } = draft;
  const analysis = useMemo(() => analyze(content, sample), [content, sample]);
  useShortcuts(shortcutsOf('Template', { 'Mod+s': () => void saving.save() }));
  return (
    <article className={styles.editor} aria-label="Template">
      <EditorHeader id={id} draft={draft} saving={saving} sample={sample} missing={analysis.missing} />
      {draft.hasConflict && !saving.isBusy && <ChangedBanner draft={draft} />}
      <div className={styles.panes}>
        <SourcePane part={part} draft={draft} sample={sample} analysis={analysis} onOpen={openPart} />
        <PreviewPane part={part} content={content} sample={sample} missing={analysis.missing} />
      </div>
    </article>
  );
}
