import { useMemo, useState } from 'react';
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
import { type DraftState, useDraft } from './use-draft.js';
import { useSave } from './use-template.js';

/** The parts of a template, and next to them the email that they become. */
export function Editor({ id, saved }: { id: string; saved: Content }) {
  const draft = useDraft(id, saved);
  const saving = useSaving(id, draft);
  const sample = useSample(id);
  const [part, openPart] = usePart();
  const { content } = draft;
  const analysis = useMemo(() => analyze(content, sample), [content, sample]);
  useShortcuts([{ keys: 'Mod+s', label: 'Save the template', group: 'Template', run: () => void saving.save() }]);
  return (
    <article className={styles.editor} aria-label="Template">
      <EditorHeader id={id} draft={draft} saving={saving} sample={sample} missing={analysis.missing} />
      {draft.hasConflict && !saving.isBusy && <ChangedBanner draft={draft} saved={saved} />}
      <div className={styles.panes}>
        <SourcePane part={part} draft={draft} sample={sample} analysis={analysis} onOpen={openPart} />
        <PreviewPane part={part} content={content} sample={sample} missing={analysis.missing} />
      </div>
    </article>
  );
}

/** Returns the action that saves the draft, and why it failed. */
function useSaving(id: string, draft: DraftState) {
  const send = useSave(id);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  /** @throws the reason why the draft is not saved. */
  const saveOrThrow = async () => {
    if (isBusy || !draft.isChanged) return;
    setBusy(true);
    setError(undefined);
    try {
      draft.rebase(await send(draft.changes, draft.base));
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, saveOrThrow, save: () => saveOrThrow().catch(setError) };
}

export type Saving = ReturnType<typeof useSaving>;
