/** What the page shown has read from the API, for whoever wants to ask the same elsewhere. */
import { useEffect, useState } from 'preact/hooks'

/** Read for what is around every page. */
const common = new Set([
  '/api/auth/me',
  '/api/entities',
  '/api/preferences',
  '/api/search',
  '/api/tenant/brand',
])
const maxRead = 10

let page = ''
let read: readonly string[] = []
const listeners = new Set<() => void>()

/** @param path with its query */
export function noteRead(path: string): void {
  const shown = location.pathname + location.search
  const earlier = page === shown ? read : []
  const [address = ''] = path.split('?')
  if (common.has(address) || earlier.includes(path)) return
  page = shown
  read = [...earlier, path].slice(-maxRead)
  for (const notify of listeners) notify()
}

export function usePageRequests(): readonly string[] {
  const [, setRead] = useState(read)
  useEffect(() => {
    const update = () => setRead(read)
    update()
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
  return page === location.pathname + location.search ? read : []
}
