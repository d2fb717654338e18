/** Whether the service can be reached. While it cannot, it is asked again, and what failed is repeated by itself. */
import { useEffect, useState } from 'preact/hooks'
import { serviceAddress } from './service.ts'

/** Also asked when the browser says that the network is back. */
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

/** @param repeat called each time the service can be reached again */
export function onReturn(repeat: () => void): () => void {
  returned.add(repeat)
  return () => returned.delete(repeat)
}

export function useIsLost(): boolean {
  const [shown, setShown] = useState(isLost)
  useEffect(() => {
    const update = () => setShown(isLost)
    changed.add(update)
    update()
    return () => {
      changed.delete(update)
    }
  }, [])
  return shown
}

async function ask(): Promise<void> {
  try {
    await fetch(serviceAddress('/health/live'), { cache: 'no-store' })
    noteReached()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error // that is what `fetch` throws without a reply
  }
}

addEventListener('offline', noteLost)
addEventListener('online', () => void ask())
if (isLost) noteLost()
