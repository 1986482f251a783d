import { ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { useInbox } from '../../api/calls.js';
import { Menu } from '../../components/menu/menu.js';
import styles from './workspace.module.css';

const ALL = 'All workspaces';

/**
 * The workspace that the page shows. An administrator chooses another one. A server without workspaces shows nothing.
 */
export function Workspace() {
  const { info, session } = useInbox();
  const [failure, setFailure] = useState<string>();
  const { workspace, workspaces } = info;
  if (workspace === null && workspaces.length === 0) return null;
  const name = workspace ?? ALL;
  if (workspaces.length === 0) {
    return (
      <span className={styles.workspace} title={`Only the emails and webhooks of workspace ${name}`}>
        <span className="visually-hidden">Workspace </span>
        <span className={styles.name}>{name}</span>
      </span>
    );
  }
  const choose = (value: string) =>
    session.switchTo(value).then(
      // Every page of the inbox shows something of the workspace.
      () => location.assign('/inbox'),
      (error: Error) => setFailure(error.message),
    );
  return (
    <>
      {failure && (
        <span role="alert" className="visually-hidden">
          {failure}
        </span>
      )}
      <Menu
        trigger={
          <button
            type="button"
            className={`${styles.workspace} ${workspace === null ? styles.all : ''}`}
            title={failure ?? 'Switch the workspace'}
          >
            <span className="visually-hidden">Workspace </span>
            <span className={styles.name}>{name}</span>
            <ChevronsUpDown size={12} aria-hidden />
          </button>
        }
      >
        {({ MenuChoice }) => (
          <MenuChoice
            label="Workspace"
            value={workspace ?? ''}
            choices={[{ value: '', label: ALL }, ...workspaces.map((each) => ({ value: each, label: each }))]}
            onChange={(value) => void choose(value)}
          />
        )}
      </Menu>
    </>
  );
}
