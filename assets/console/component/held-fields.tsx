/** The fields of a form that is left once it is saved: while the save is on its way, nothing is typed that would be lost. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export function HeldFields({ isHeld, children }: { isHeld: boolean; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const fields = element.current
    if (!isHeld || fields === null) return
    const focused = document.activeElement
    fields.inert = true
    return () => {
      fields.inert = false
      // The browser takes the focus from what is inert, and from a button that is disabled.
      if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
    }
  }, [isHeld])
  return (
    <div class="form" ref={element}>
      {children}
    </div>
  )
}
