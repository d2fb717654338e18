/** The form that saves the state of a list as a view, for the user alone or for everybody. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Field } from '../component/field.tsx'
import { HeldFields } from '../component/held-fields.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import type { EntityDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import type { ListAddress } from './list-address.ts'
import { deleteView, saveView } from './view-requests.ts'
import { contentOf, type StoredView } from './views.ts'
import type { Widths } from './widths.ts'

interface FormProps {
  entity: EntityDescription
  address: ListAddress
  widths: Widths
  /** The view to change; `null` to create one. */
  stored: StoredView | null
  onDone: (view: StoredView | null) => void
  onClose: () => void
}

export function ViewForm({ entity, address, widths, stored, onDone, onClose }: FormProps) {
  const { can } = useApp()
  const [name, setName] = useState(stored?.name ?? '')
  const [isShared, setShared] = useState(stored !== null && stored.sharedWith !== 'nobody')
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const attempt = async (act: () => Promise<StoredView | null>) => {
    setBusy(true)
    setError(null)
    try {
      onDone(await act())
    } catch (caught) {
      setError(caught)
      setBusy(false)
    }
  }
  const wasShared = stored !== null && stored.sharedWith !== 'nobody'
  const submit = (event: Event) => {
    event.preventDefault()
    const body = {
      name: name.trim(),
      ...contentOf(address.query, widths),
      ...(stored === null && { entity: entity.name }),
      // A view that is shared with certain roles keeps those roles.
      ...(isShared !== wasShared && { sharedWith: isShared ? 'everybody' : 'nobody' }),
    }
    void attempt(() => saveView(stored?.id ?? null, body))
  }
  return (
    <form class="form" ref={form} onSubmit={submit}>
      {error !== null && <ErrorNotice error={error} />}
      <HeldFields isHeld={isBusy}>
        <Field label={text.table.viewName} hint={text.table.viewHint}>
          {(control) => (
            <input
              {...control}
              required
              maxLength={100}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        {(can('view:share') || wasShared) && (
          <label class="choice">
            <input
              type="checkbox"
              checked={isShared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
            {text.table.viewShared}
          </label>
        )}
      </HeldFields>
      <div class="row">
        <button type="submit" class="main" disabled={isBusy || name.trim() === ''}>
          {text.action.save}
        </button>
        <button type="button" onClick={onClose}>
          {text.action.cancel}
        </button>
        {stored !== null && (
          <button
            type="button"
            class="danger end"
            disabled={isBusy}
            onClick={() => void attempt(() => deleteView(stored.id).then(() => null))}
          >
            {text.action.delete}
          </button>
        )}
      </div>
    </form>
  )
}
