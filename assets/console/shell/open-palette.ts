/** Opens the command palette from anywhere in the console. */

const listeners = new Set<() => void>()

export function openPalette(): void {
  for (const open of listeners) open()
}

export function onOpenPalette(open: () => void): () => void {
  listeners.add(open)
  return () => {
    listeners.delete(open)
  }
}
