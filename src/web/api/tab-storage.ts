const kept = storageOfBrowser();

/** Whether the browser has a storage for this tab: it may block the data of a site. */
export const isTabStored = kept !== undefined;

/** The storage of this tab, or one that keeps nothing. */
export const tabStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = kept ?? {
  getItem: () => null,
  setItem() {},
  removeItem() {},
};

function storageOfBrowser(): Storage | undefined {
  try {
    return sessionStorage;
  } catch {
    return undefined;
  }
}

/** The item of the session storage with the ticket that continues the session after a reload. */
export const RESUME = 'svc-inbox-resume';
