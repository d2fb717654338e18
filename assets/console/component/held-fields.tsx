/**
 * Makes the fields of a form inert while `isHeld`: during a save after which the form closes, because text that is typed
 * meanwhile would be lost. During a save after which the form stays open, the user may go on typing.
 */
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
      // The browser has taken the focus from the inert fields, and from a disabled button.
      if (document.activeElement === document.body && focused instanceof HTMLElement) focused.focus()
    }
  }, [isHeld])
  return (
    <div class="form" ref={element}>
      {children}
    </div>
  )
}
