/** A modal dialog of the browser: it keeps the focus, and closes with Escape. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useUniqueId } from './unique-id.ts'

interface DialogProps {
  title: string
  /** Given for a question that must be answered before anything else. */
  role?: 'alertdialog'
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, role, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useUniqueId()
  // Not within the press of Escape that asks a question, which the browser would answer by the same press.
  useEffect(() => {
    const opened = element.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  return (
    <dialog ref={element} role={role} aria-labelledby={heading} onCancel={onClose}>
      <div class="stack">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
