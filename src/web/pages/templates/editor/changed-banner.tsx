import { Button } from '../../../components/button.js';
import type { Content } from '../types.js';
import styles from './editor.module.css';
import type { DraftState } from './use-draft.js';

/** Asks which content to continue with, after someone else changed the template. */
export function ChangedBanner({ draft, saved }: { draft: DraftState; saved: Content }) {
  return (
    <div role="alert" className={styles.banner}>
      <p>This template was changed elsewhere, such as by a command. Your changes are not saved yet.</p>
      <div className={styles.actions}>
        <Button onClick={() => draft.discard(saved)}>Discard my changes</Button>
        <Button onClick={() => draft.rebase(saved)}>Keep my version</Button>
      </div>
    </div>
  );
}
