import { Button } from '../../../components/button.js';
import styles from './editor.module.css';
import type { DraftState } from './use-draft.js';

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
