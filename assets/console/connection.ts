/**
 * Knows whether the service can be reached. While it cannot, this asks again, and then repeats the loads that
 * failed.
 */
import { serviceAddress } from './service.ts'
import { useShared } from './shared-value.ts'

/** How often the service is asked while it cannot be reached. It is also asked when the browser reports a network. */
const askEveryMs = 3000

let isLost = !navigator.onLine
let asking: ReturnType<typeof setInterval> | null = null
const changed = new Set<() => void>()
const returned = new Set<() => void>()

/** Reports a request without a reply. */
export function noteLost(): void {
  if (isLost && asking !== null) return
  isLost = true
  asking ??= setInterval(() => void ask(), askEveryMs)
  for (const notify of changed) notify()
}

/** Reports a reply. */
export function noteReached(): void {
  if (!isLost) return
  isLost = false
  if (asking !== null) clearInterval(asking)
  asking = null
  for (const notify of changed) notify()
  for (const repeat of [...returned]) repeat()
}

/** @param repeat called each time the service can be reached again @returns a function that ends this */
export function onReturn(repeat: () => void): () => void {
  returned.add(repeat)
  return () => returned.delete(repeat)
}

export function useIsLost(): boolean {
  return useShared(changed, () => isLost)
}

async function ask(): Promise<void> {
  try {
    await fetch(serviceAddress('/health/live'), { cache: 'no-store' })
    noteReached()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error // `fetch` throws a TypeError if there is no reply
  }
}

addEventListener('offline', noteLost)
addEventListener('online', () => void ask())
if (isLost) noteLost()
