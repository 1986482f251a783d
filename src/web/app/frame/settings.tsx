import { Settings as SettingsIcon } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '../../components/menu/menu.js';
import { areNotificationsOn, setNotifications } from '../notifications.js';
import { storedTheme, storeTheme, type Theme } from '../theme.js';
import styles from './sidebar.module.css';

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const SWITCH = [
  { value: 'off', label: 'Off' },
  { value: 'on', label: 'On, while in the background' },
];

/** Settings of this browser. */
export function Settings() {
  const [theme, setTheme] = useState(storedTheme);
  const [notifies, setNotifies] = useState(areNotificationsOn);
  const choose = (value: string) => {
    storeTheme(value as Theme);
    setTheme(value as Theme);
  };
  return (
    <Menu
      trigger={
        <button type="button" className={styles.tool}>
          <SettingsIcon size={16} aria-hidden />
          Settings
        </button>
      }
    >
      {({ MenuChoice, MenuSeparator }) => (
        <>
          <MenuChoice label="Theme" value={theme} choices={THEMES} onChange={choose} />
          <MenuSeparator />
          <MenuChoice
            label="Desktop notifications"
            value={notifies ? 'on' : 'off'}
            choices={SWITCH}
            onChange={(value) => void setNotifications(value === 'on').then(setNotifies)}
          />
        </>
      )}
    </Menu>
  );
}
