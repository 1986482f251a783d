/** Returns the first row to show, so that the selected one is visible. */
export function firstVisible(count: number, selected: number, room: number): number {
  return Math.min(Math.max(0, count - room), Math.max(0, selected - Math.floor(room / 2)));
}
