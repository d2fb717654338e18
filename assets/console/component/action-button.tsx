/** A button that asks, acts, and says what went wrong; it cannot be pressed twice. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isEmbedded } from '../portal.ts'
import { text } from '../text/text.ts'
import { Dialog } from './dialog.tsx'
import { ErrorNotice } from './notice.tsx'

interface ActionButtonProps {
  children: ComponentChildren
  act: () => Promise<unknown>
  /** Asked before; no question if absent. Browsers do not let an embedded page ask with `confirm`. */
  question?: string
  kind?: 'main' | 'danger' | 'plain'
  isDisabled?: boolean
}

export function ActionButton({ children, act, question, kind, isDisabled = false }: ActionButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isAsking, setAsking] = useState(false)
  const press = () => {
    if (question === undefined) void run()
    else if (isEmbedded) setAsking(true)
    else if (confirm(question)) void run()
  }
  const run = async () => {
    setAsking(false)
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
      <button type="button" class={kind} disabled={isBusy || isDisabled} onClick={press}>
        {children}
      </button>
      {isAsking && (
        <Dialog title={question ?? ''} onClose={() => setAsking(false)}>
          <div class="row">
            <button type="button" class={kind} onClick={() => void run()}>
              {children}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              {text.action.cancel}
            </button>
          </div>
        </Dialog>
      )}
      {error !== null && <ErrorNotice error={error} />}
    </>
  )
}
