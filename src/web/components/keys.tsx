import styles from './keys.module.css';

const NAMES: Record<string, string> = {
  Mod: isMac() ? '⌘' : 'Ctrl',
  Enter: '↵',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
};

function isMac(): boolean {
  return navigator.userAgent.includes('Mac OS');
}

/** Shows the keys of a shortcut: `Mod+k`, `g e`. */
export function Keys({ keys }: { keys: string }) {
  const [first = '', second] = keys.split(' ');
  return (
    <span className={styles.keys}>
      <Stroke keys={first} />
      {second !== undefined && (
        <>
          {' then '}
          <Stroke keys={second} />
        </>
      )}
    </span>
  );
}

function Stroke({ keys }: { keys: string }) {
  const isCombined = keys.includes('+');
  return keys
    .split('+')
    .map((key) => <kbd key={key}>{NAMES[key] ?? (isCombined && key.length === 1 ? key.toUpperCase() : key)}</kbd>);
}
