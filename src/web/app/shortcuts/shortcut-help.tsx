import { Dialog } from '../../components/dialog.js';
import { Keys } from '../../components/keys.js';
import styles from './shortcut-help.module.css';
import { type Shortcut, useAllShortcuts } from './shortcuts.js';

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const groups = Map.groupBy(useAllShortcuts(), ({ group }) => group);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className={styles.groups}>
        {[...groups].map(([group, shortcuts]) => (
          <Group key={group} title={group} shortcuts={shortcuts} />
        ))}
      </div>
    </Dialog>
  );
}

function Group({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className={styles.list}>
        {shortcuts.map(({ keys, label }) => (
          <div key={keys}>
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
