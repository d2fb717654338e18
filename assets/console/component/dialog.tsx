/** A modal dialog. It is the element of the browser, which keeps the focus inside and closes with Escape. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useUniqueId } from './unique-id.ts'

interface DialogProps {
  title: string
  /** `alertdialog` for a question that has to be answered before anything else. */
  role?: 'alertdialog'
  onClose: () => void
  children: ComponentChildren
}

export function Dialog({ title, role, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const heading = useUniqueId()
  // The dialog opens in an effect: if a press of Escape opens it, the browser would close it by the same press.
  useEffect(() => {
    const opened = element.current
    opened?.showModal()
    return () => opened?.close()
  }, [])
  return (
    <dialog
      ref={element}
      role={role}
      aria-labelledby={heading}
      // An input for files inside reports by an event of the same name that no file was chosen.
      onCancel={({ target, currentTarget }) => target === currentTarget && onClose()}
    >
      <div class="stack">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}
