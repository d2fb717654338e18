/** The title of the page, for the last breadcrumb and the browser's tab. */
import { useEffect, useState } from 'preact/hooks'

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
  const [title, setTitle] = useState(shown)
  useEffect(() => {
    const update = () => setTitle(shown)
    update()
    listeners.add(update)
    return () => {
      listeners.delete(update)
    }
  }, [])
  return title
}

function show(title: string): void {
  shown = title
  for (const notify of listeners) notify()
}
