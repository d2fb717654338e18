/** A form for an object, by its fields; what the service refuses is said at the field. */
import type { ComponentChildren } from 'preact'
import type { FieldDescription, Values } from '../describe.ts'
import { FieldInputs } from '../entity/fields.tsx'
import { text } from '../text/text.ts'
import { type TypedForm, useForm } from './form-state.ts'
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

export function SchemaForm({ initial = {}, submit, ...props }: SchemaFormProps) {
  return <SchemaFields form={useForm(initial, submit)} {...props} />
}

interface SchemaFieldsProps extends Omit<SchemaFormProps, 'initial' | 'submit'> {
  form: TypedForm<Values>
}

export function SchemaFields({ form, fields, button, onCancel, preview }: SchemaFieldsProps) {
  const { values, change, isBusy, error, faults, send } = form
  return (
    <form class="form" noValidate onSubmit={send}>
      {error !== null && <ErrorNotice error={error} />}
      <FieldInputs
        fields={fields}
        values={values}
        faults={new Map(faults.map(({ pointer, reason }) => [pointer, reason]))}
        onChange={change}
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
