import { useLayoutEffect } from 'react';
import { parts, type Shortcut, useAllShortcuts, useTypeAhead } from '../common/shortcuts.js';
import { Dialog } from '../components/dialog.js';
import { Keys } from '../components/keys.js';
import styles from './shortcut-help.module.css';

/** All shortcuts: those of what is shown, and those of other pages. */
export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const { resume } = useTypeAhead();
  useLayoutEffect(() => void resume(), [resume]);
  const groups = Map.groupBy(useAllShortcuts(), ({ group }) => group);
  const elsewhere = Object.entries(parts).filter(([part]) => !groups.has(part));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className={styles.groups}>
        {[...groups].map(([group, shortcuts]) => (
          <Group key={group} title={group} shortcuts={shortcuts} />
        ))}
        {elsewhere.map(([part, { where, labels }]) => (
          <Group
            key={part}
            title={part}
            where={where}
            shortcuts={Object.entries(labels).map(([keys, label]) => ({ keys, label }))}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface GroupProps {
  title: string;
  /** Where they work, unless they work here. */
  where?: string;
  shortcuts: readonly Pick<Shortcut, 'keys' | 'label'>[];
}

function Group({ title, where, shortcuts }: GroupProps) {
  return (
    <section>
      <h3>{title}</h3>
      {where && <p className={styles.where}>{where}</p>}
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
