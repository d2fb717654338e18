/** A button that may ask first, then acts, and shows an error. It is disabled while it acts. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { confirmed } from './confirm-dialog.tsx'
import { ErrorNotice } from './notice.tsx'

interface ActionButtonProps {
  children: ComponentChildren
  act: () => Promise<unknown>
  /** The question before; absent: none is asked. */
  question?: string
  /** A text that the user has to type before, for actions that cannot be undone. */
  typed?: string
  kind?: 'main' | 'danger' | 'plain'
  isDisabled?: boolean
}

export function ActionButton({
  children,
  act,
  question,
  typed,
  kind,
  isDisabled = false,
}: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const press = async () => {
    const asked = { title: question ?? '', verb: children, kind: kind === 'danger' ? kind : 'main' } as const
    if (question !== undefined && !(await confirmed(typed === undefined ? asked : { ...asked, typed })))
      return
    setBusy(true)
    setError(null)
    try {
      await act()
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" class={kind} disabled={isBusy || isDisabled} onClick={() => void press()}>
        {children}
      </button>
      {error !== null && <ErrorNotice error={error} />}
    </>
  )
}
