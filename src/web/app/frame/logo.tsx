/** The icon of the inbox, in the size of a line. As an image of its own, the browser would load a document for it. */
export function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#2456d6" />
      <path
        d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z"
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinejoin="round"
      />
    </svg>
  );
}
