/** Records the requests that the shown page has sent, so that a user can copy them as commands or code. */
import { useShared } from './shared-value.ts'

export interface PageRequest {
  method: string
  /** The path with its query. */
  path: string
  body?: unknown
}

/** Requests of the frame around every page, which are not recorded. */
const common = new Set([
  '/api/auth/me',
  '/api/console',
  '/api/entities',
  '/api/preferences',
  '/api/search',
  '/api/tenant/brand',
])
const maxNoted = 10

let page = ''
let noted: readonly PageRequest[] = []
const listeners = new Set<() => void>()

export function noteRequest(request: PageRequest): void {
  const shown = location.pathname + location.search
  const earlier = page === shown ? noted : []
  const [address = ''] = request.path.split('?')
  if (common.has(address) || earlier.some((each) => keyOf(each) === keyOf(request))) return
  page = shown
  noted = [...earlier, request].slice(-maxNoted)
  for (const notify of listeners) notify()
}

export function keyOf({ method, path }: PageRequest): string {
  return `${method} ${path}`
}

export function usePageRequests(): readonly PageRequest[] {
  const shown = useShared(listeners, () => noted)
  return page === location.pathname + location.search ? shown : []
}
