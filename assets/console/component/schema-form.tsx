/** A form for an object, by its fields; what the service refuses is said at the field. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import type { FieldDescription } from '../describe.ts'
import { FieldInputs, type Values } from '../entity/fields.tsx'
import { allowLeaving, useLeaveGuard } from '../router.ts'
import { text } from '../text/text.ts'
import { ErrorNotice } from './notice.tsx'

interface SchemaFormProps {
  fields: readonly FieldDescription[]
  initial?: Values
  button: string
  /** @throws ApiError */
  submit: (values: Values) => Promise<void>
  onCancel?: () => void
  /** What shows how the values would look. */
  preview?: (values: Values) => ComponentChildren
}

export function SchemaForm({ fields, initial = {}, button, submit, onCancel, preview }: SchemaFormProps) {
  const [values, setValues] = useState<Values>(initial)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  useLeaveGuard(isDirty, text.state.leave)
  const send = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      setDirty(false)
      allowLeaving()
      await submit(values)
    } catch (caught) {
      setDirty(true)
      setError(caught)
    }
    setBusy(false)
  }
  const faults = error instanceof ApiError ? error.faults : []
  return (
    <form class="form" noValidate onSubmit={(event) => void send(event)}>
      {error !== null && <ErrorNotice error={error} />}
      <FieldInputs
        fields={fields}
        values={values}
        faults={new Map(faults.map(({ pointer, reason }) => [pointer, reason]))}
        onChange={(next) => {
          setValues(next)
          setDirty(true)
        }}
      />
      {preview?.(values)}
      <div class="row">
        <button type="submit" class="main" disabled={isBusy}>
          {button}
        </button>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            {text.action.cancel}
          </button>
        )}
      </div>
    </form>
  )
}
