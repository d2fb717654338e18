/** A form whose page lays out the fields itself; what the service refuses is said at the field. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import { Field } from './field.tsx'
import { type TypedForm, useForm } from './form-state.ts'
import { ErrorNotice } from './notice.tsx'

export interface FormState<V> {
  values: V
  set: (changes: Partial<V>) => void
  faultOf: (member: string) => string | null
}

interface FormProps<V> extends LayoutProps<V> {
  initial: V
  /** @throws ApiError */
  submit: (values: V) => Promise<void>
}

export function Form<V>({ initial, submit, ...props }: FormProps<V>) {
  return <FormLayout form={useForm<V>(initial, submit)} {...props} />
}

interface LayoutProps<V> {
  button: string
  onCancel?: () => void
  kind?: 'main' | 'danger'
  isDisabled?: (values: V) => boolean
  children: (form: FormState<V>) => ComponentChildren
}

export function FormLayout<V>({
  form: { values, change, isBusy, error, faults, send },
  button,
  onCancel,
  kind = 'main',
  isDisabled,
  children,
}: LayoutProps<V> & { form: TypedForm<V> }) {
  return (
    <form class="form" onSubmit={send}>
      {error !== null && <ErrorNotice error={error} />}
      {children({
        values,
        set: (changes) => change({ ...values, ...changes }),
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

/** Browsers refuse or rewrite addresses of other scripts in a control of the type `email`. */
export const emailInput = {
  type: 'text',
  inputMode: 'email',
  autocapitalize: 'none',
  spellcheck: false,
} as const

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
          {...(type === 'email' ? emailInput : ({ type } as { type: 'text' }))} // one type of control for all kinds of text
          required={isRequired}
          autocomplete={autocomplete}
          value={form.values[name]}
          onInput={(event) => form.set({ [name]: event.currentTarget.value } as { [key in K]: string })} // K is one name
        />
      )}
    </Field>
  )
}
