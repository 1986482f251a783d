import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useServiceChange } from '../../../api/calls.js';
import { shortcutsOf, useShortcuts } from '../../../common/shortcuts.js';
import { Button } from '../../../components/button.js';
import { EmptyState, Loaded, Problem } from '../../../components/states.js';
import { type Content, type DraftState, drafts } from '../drafts.js';
import { PreviewPane } from '../preview/preview-pane.js';
import { useSample } from '../sample/use-sample.js';
import { analyze } from '../source/analyze.js';
import { SourcePane, usePart } from '../source/source-pane.js';
import styles from './editor.module.css';
import { EditorHeader } from './editor-header.js';
import { useDraft } from './use-draft.js';
import { useSaving, useTemplate } from './use-saving.js';

/** The editor of a template, or why it cannot be edited. */
export function EditorPage({ id }: { id: string }) {
  const template = useTemplate(id);
  return (
    // A template may be deleted while it is edited.
    <Loaded query={template} missing={<Deleted id={id} />}>
      {(saved) => <Editor id={id} saved={saved} />}
    </Loaded>
  );
}

/** Unsaved changes outlive the template. */
function Deleted({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  const creation = useServiceChange('templates.create');
  const draft = drafts.read(id);
  const create = async () => {
    if (!draft || creation.isPending) return;
    const { name, subject, html, text } = draft.content;
    try {
      const created = await creation.mutateAsync({ body: { name, subject, html, text } });
      drafts.remove(id);
      navigate(`/templates/${created.id}`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <EmptyState title="Template not found" isPage>
      <p>This template was deleted, or it never existed on this server.</p>
      {draft && <p>Your unsaved changes to it still exist in this tab.</p>}
      {error !== undefined && <Problem error={error} />}
      {draft && (
        <Button kind="primary" onClick={() => void create()}>
          Create it again
        </Button>
      )}
      <Button onClick={() => navigate('/templates')}>Show all templates</Button>
    </EmptyState>
  );
}

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

/** Asks which content to continue with, after someone else changed the template. */
export function ChangedBanner({ draft }: { draft: DraftState }) {
  return (
    <div role="alert" className={styles.banner}>
      <p>This template was changed elsewhere, such as by a command. Your changes are not saved yet.</p>
      <div className={styles.actions}>
        <Button onClick={() => draft.discard()}>Discard my changes</Button>
        <Button onClick={() => draft.rebase()}>Keep my version</Button>
      </div>
    </div>
  );
}
