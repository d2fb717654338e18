/** The address of the page is its state: every view, filter and sort can be kept as a link. */
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { base } from './portal.ts'
import { useShared } from './shared-value.ts'

export interface Place {
  /** The path below that of the console: `/entities/product`. */
  path: string
  query: URLSearchParams
}

type Guard = () => Promise<boolean>

const listeners = new Set<() => void>()
/** The guards of forms with unsaved changes. A guard asks the user, and resolves to whether the form may be left. */
const guards = new Set<Guard>()
let shown = location.href
let shownState: unknown = history.state

export function placeNow(): Place {
  const path = location.pathname.slice(base.length).replace(/\/$/, '')
  return { path: path === '' ? '/' : path, query: new URLSearchParams(location.search) }
}

export function hrefOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const words = new URLSearchParams(query).toString()
  return `${base}${path === '/' ? '' : path}${words === '' ? '' : `?${words}`}`
}

/** @returns the decoded part of a path, or the part itself if its encoding is malformed */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return part
    throw error
  }
}

interface GoOptions {
  /** Whether the present entry of the history is replaced. */
  replaces?: boolean
  /** The address for "back" on the new page, if it is not that of the shown page. */
  from?: string | null
}

/** @returns the address of the page from which the user came to this one, also after a reload; `null` for none */
export function cameFrom(): string | null {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'from' in state ? String(state.from) : null
}

export function goTo(href: string, { replaces = false, from }: GoOptions = {}): void {
  const go = () => {
    const source = from === undefined ? (replaces ? cameFrom() : location.href) : from
    const state = source === null ? null : { from: source }
    history[replaces ? 'replaceState' : 'pushState'](state, '', href)
    notify()
  }
  if (replaces) go()
  else whenLeft(go)
}

/** Does something that leaves a form, such as closing it, after asking about unsaved changes. */
export function whenLeft(go: () => void): void {
  if (guards.size === 0) go()
  else void leave(go)
}

export function usePlace(): Place {
  const href = useShared(listeners, () => location.href)
  return useMemo(placeNow, [href])
}

/**
 * Asks before the page is left, while the component is shown and `isUnsaved`.
 * @returns a function that allows leaving at once, for a form that leaves before it is rendered again
 */
export function useLeaveGuard(isUnsaved: boolean, ask: Guard): () => void {
  const latest = useRef(ask)
  latest.current = ask
  const guard = useCallback<Guard>(() => latest.current(), [])
  // A layout effect runs at once, so that a user who types and leaves at the same moment is asked as well.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    guards.add(guard)
    addEventListener('beforeunload', warn)
    return () => {
      guards.delete(guard)
      removeEventListener('beforeunload', warn)
    }
  }, [isUnsaved, guard])
  return useCallback(() => void guards.delete(guard), [guard])
}

let isAsking = false

/** Asks once, however many forms there are. */
async function leave(go: () => void): Promise<void> {
  const [ask] = guards
  if (isAsking) return
  isAsking = true
  const mayLeave = ask === undefined || (await ask())
  isAsking = false
  if (!mayLeave) return
  guards.clear()
  go()
}

function notify(): void {
  shown = location.href
  shownState = history.state
  for (const update of listeners) update()
}

addEventListener('popstate', () => {
  if (guards.size === 0) return notify()
  history.pushState(shownState, '', shown)
  void leave(() => history.back())
})

// Links within the console change the address without loading the page again.
addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download')) return
  const { origin, pathname, href } = new URL(link.href)
  const isInside = origin === location.origin && (pathname === base || pathname.startsWith(`${base}/`))
  if (!isInside || link.getAttribute('href')?.startsWith('#') === true) return
  event.preventDefault()
  goTo(href)
})
