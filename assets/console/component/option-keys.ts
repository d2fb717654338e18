/** @returns the index to which an arrow key moves in a list of options; `null` for a key that does not move */
export function movedOption(key: string, active: number, count: number): number | null {
  // Before any option is loaded, the index stays 0, which is that of the first one.
  if (key === 'ArrowDown') return Math.max(0, Math.min(active + 1, count - 1))
  return key === 'ArrowUp' ? Math.max(0, active - 1) : null
}
