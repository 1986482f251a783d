/** The first row to show of so many, when there is room for some of them and the selected one is to be in sight. */
export function firstVisible(count: number, selected: number, room: number): number {
  return Math.min(Math.max(0, count - room), Math.max(0, selected - Math.floor(room / 2)));
}
