/** The buttons of a page at the end of the bar above it. */
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useShared } from '../shared-value.ts'

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
  return useShared(listeners, () => shown)
}

function show(actions: ComponentChildren): void {
  shown = actions
  for (const notify of listeners) notify()
}
