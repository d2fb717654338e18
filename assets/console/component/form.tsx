/** A form whose page lays out the fields itself; what the service refuses is said at the field. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { useLeaveGuard } from '../router.ts'
import { text } from '../text/text.ts'
import { Field } from './field.tsx'
import { ErrorNotice } from './notice.tsx'

export interface FormState<V> {
  values: V
  set: (changes: Partial<V>) => void
  faultOf: (member: string) => string | null
}

interface FormProps<V> {
  initial: V
  button: string
  /** @throws ApiError */
  submit: (values: V) => Promise<void>
  onCancel?: () => void
  kind?: 'main' | 'danger'
  isDisabled?: (values: V) => boolean
  children: (form: FormState<V>) => ComponentChildren
}

export function Form<V>({
  initial,
  button,
  submit,
  onCancel,
  kind = 'main',
  isDisabled,
  children,
}: FormProps<V>) {
  const [values, setValues] = useState(initial)
  const [isDirty, setDirty] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  useLeaveGuard(isDirty, text.state.leave)
  const send = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    setDirty(false)
    try {
      await submit(values)
    } catch (caught) {
      setDirty(true)
      setError(caught)
    }
    setBusy(false)
  }
  const faults = error instanceof ApiError ? error.faults : []
  return (
    <form class="form" onSubmit={(event) => void send(event)}>
      {error !== null && <ErrorNotice error={error} />}
      {children({
        values,
        set: (changes) => {
          setValues({ ...values, ...changes })
          setDirty(true)
        },
        faultOf: (member) =>
          faults.find(({ pointer }) => `${pointer}/`.startsWith(`/${member}/`))?.reason ?? null,
      })}
      <div class="row">
        <button type="submit" class={kind} disabled={isBusy || isDisabled?.(values) === true}>
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

interface TextFieldProps<K extends string> {
  form: FormState<{ [name in K]: string }>
  name: K
  label: string
  hint?: string
  type?: 'text' | 'email' | 'password' | 'number' | 'datetime-local'
  isRequired?: boolean
  autocomplete?: string
}

export function TextField<K extends string>(props: TextFieldProps<K>) {
  const { form, name, label, hint = null, type = 'text', isRequired = false, autocomplete = 'off' } = props
  return (
    <Field label={label} hint={hint} fault={form.faultOf(name)} isRequired={isRequired}>
      {(control) => (
        <input
          {...control}
          {...({ type } as { type: 'text' })} // one type of control for all kinds of text
          required={isRequired}
          autocomplete={autocomplete}
          value={form.values[name]}
          onInput={(event) => form.set({ [name]: event.currentTarget.value } as { [key in K]: string })} // K is one name
        />
      )}
    </Field>
  )
}
