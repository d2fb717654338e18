/** The title of the page, for the last breadcrumb and the browser's tab. */
import { useEffect } from 'preact/hooks'
import { useShared } from '../shared-value.ts'

const listeners = new Set<() => void>()
let shown = ''

/** Sets the title of the page. @param title `null` until it is known */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return
    show(title)
    return () => show('')
  }, [title])
}

export function useShownTitle(): string {
  return useShared(listeners, () => shown)
}

function show(title: string): void {
  shown = title
  for (const notify of listeners) notify()
}
