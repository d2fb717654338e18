/** A form whose fields its page arranges. A fault that the service has found is shown at its field. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import { Field } from './field.tsx'
import { type TypedForm, useForm } from './form-state.ts'
import { HeldFields } from './held-fields.tsx'
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

export function Form<V extends object>({ initial, submit, ...props }: FormProps<V>) {
  return <FormLayout form={useForm<V>(initial, submit)} {...props} />
}

interface LayoutProps<V> {
  button: string
  onCancel?: () => void
  /** The text of the button that changes nothing. */
  cancel?: string
  kind?: 'main' | 'danger'
  isDisabled?: (values: V) => boolean
  /** Whether the browser does not check required fields, because the service reports all faults together. */
  noValidate?: boolean
  children: (form: FormState<V>) => ComponentChildren
}

/** A save in progress (`isBusy`) disables the button, and the fields as well if the form closes after it (`isHeld`). */
export function FormLayout<V>({
  form: { values, change, isBusy, isHeld, error, faults, send },
  button,
  onCancel,
  cancel = text.action.cancel,
  kind = 'main',
  isDisabled,
  noValidate = false,
  children,
}: LayoutProps<V> & { form: TypedForm<V> }) {
  return (
    <form class="form" noValidate={noValidate} onSubmit={send}>
      {error !== null && <ErrorNotice error={error} />}
      <HeldFields isHeld={isHeld}>
        {children({
          values,
          set: (changes) => change({ ...values, ...changes }),
          faultOf: (member) =>
            faults.find(({ pointer }) => `${pointer}/`.startsWith(`/${member}/`))?.reason ?? null,
        })}
      </HeldFields>
      <div class="row">
        <button type="submit" class={kind} disabled={isBusy || isDisabled?.(values) === true}>
          {button}
        </button>
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            {cancel}
          </button>
        )}
      </div>
    </form>
  )
}

/**
 * Attributes of an input for mail addresses. Its type is `text`, because `email` rewrites addresses of other
 * scripts.
 */
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
  type?: 'text' | 'email' | 'password' | 'number'
  isRequired?: boolean
  autocomplete?: string
  placeholder?: string
  /** The offered values. Any other value can be typed. */
  options?: readonly (string | readonly [value: string, label: string])[]
  /** Whether the text is several lines of code. */
  isCode?: boolean
}

export function TextField<K extends string>(props: TextFieldProps<K>) {
  const { form, name, label, hint = null, type = 'text', isRequired = false, options, ...given } = props
  const set = (value: string) => form.set({ [name]: value } as { [key in K]: string }) // K is one name
  return (
    <Field
      label={label}
      hint={hint}
      fault={form.faultOf(name)}
      isRequired={isRequired}
      isOptional={!isRequired}
    >
      {(control) => {
        const shared = {
          ...control,
          placeholder: given.placeholder,
          required: isRequired,
          value: form.values[name],
          onInput: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
        }
        if (given.isCode === true) return <textarea {...shared} class="code" spellcheck={false} />
        return (
          <>
            <input
              {...shared}
              {...(type === 'email' ? emailInput : ({ type } as { type: 'text' }))} // `type` is one of several, and the elements of preact take one
              list={options === undefined ? undefined : `${control.id}-options`}
              autocomplete={given.autocomplete ?? 'off'}
            />
            {options !== undefined && <Options id={`${control.id}-options`} options={options} />}
          </>
        )
      }}
    </Field>
  )
}

function Options({ id, options }: { id: string; options: NonNullable<TextFieldProps<''>['options']> }) {
  return (
    <datalist id={id}>
      {options.map((option) => {
        const [value, label] = typeof option === 'string' ? [option] : option
        return (
          <option key={value} value={value}>
            {label}
          </option>
        )
      })}
    </datalist>
  )
}
