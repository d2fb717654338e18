/** The buttons of a page at the end of the bar above it. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

let shown: ComponentChildren = null
const listeners = new Set<() => void>()

/** @param key another key shows the actions again */
export function useTopActions(key: string, actions: ComponentChildren): void {
  useEffect(() => {
    show(actions)
    return () => show(null)
  }, [key])
}

export function useShownActions(): ComponentChildren {
  const [, setTurn] = useState(0)
  useEffect(() => {
    const update = () => setTurn((turn) => turn + 1)
    update()
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
  return shown
}

function show(actions: ComponentChildren): void {
  shown = actions
  for (const notify of listeners) notify()
}
