/** A form that is made from the fields of an object. A fault that the service has found is shown at its field. */
import type { ComponentChildren, RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import { type FieldDescription, labelOf, type Values } from '../describe.ts'
import { labelAt } from '../entity/fault-label.ts'
import { FieldInputs } from '../entity/fields.tsx'
import { text } from '../text/text.ts'
import { FaultSummary } from './fault-summary.tsx'
import { type TypedForm, useForm } from './form-state.ts'
import { HeldFields } from './held-fields.tsx'
import { changedMembers } from './merge.ts'
import { SaveBar } from './save-bar.tsx'

/** A preview of the values, which is shown below the field `below`. */
export interface FormPreview {
  below: string
  show: (values: Values) => ComponentChildren
}

interface SchemaFormProps {
  fields: readonly FieldDescription[]
  initial?: Values
  button: string
  /** @throws ApiError */
  submit: (values: Values) => Promise<void>
  onCancel?: () => void
  preview?: FormPreview
}

export function SchemaForm({ initial = {}, submit, button, onCancel, ...props }: SchemaFormProps) {
  const form = useForm(initial, submit)
  return (
    <SchemaFields form={form} {...props}>
      <div class="dialog-foot">
        {onCancel !== undefined && (
          <button type="button" onClick={onCancel}>
            {text.action.cancel}
          </button>
        )}
        <button type="submit" class="main" disabled={form.isBusy}>
          {button}
        </button>
      </div>
    </SchemaFields>
  )
}

interface ChangeFormProps extends Pick<SchemaFormProps, 'fields' | 'preview'> {
  form: TypedForm<Values>
}

/** A form for a stored object. The bar to save appears with the first change. */
export function SchemaChangeForm({ form, ...props }: ChangeFormProps) {
  const changed = changedLabels(props.fields, form)
  return (
    <SchemaFields form={form} marksChanges {...props}>
      {changed.length > 0 && (
        <SaveBar
          changed={changed}
          button={text.action.save}
          isBusy={form.isBusy}
          onDiscard={() => form.reset(form.base)}
          save={() => void form.send()}
        />
      )}
    </SchemaFields>
  )
}

export function changedLabels(
  fields: readonly FieldDescription[],
  { base, values }: Pick<TypedForm<Values>, 'base' | 'values'>,
): string[] {
  const changed = new Set(Object.keys(changedMembers(base, values)))
  return fields.filter(({ name }) => changed.has(name)).map(labelOf)
}

interface SchemaFieldsProps extends ChangeFormProps {
  marksChanges?: boolean
  children: ComponentChildren
}

function SchemaFields({ form, fields, preview, marksChanges = false, children }: SchemaFieldsProps) {
  const element = useRef<HTMLFormElement>(null)
  const { values, base, change, send } = form
  const place = fields.findIndex(({ name }) => name === preview?.below) + 1
  const inputs = (shownFields: readonly FieldDescription[]) => (
    <div class="fields">
      <FieldInputs
        fields={shownFields}
        ofForm={fields}
        values={values}
        base={marksChanges ? base : null}
        faults={faultsOf(form)}
        onChange={change}
      />
    </div>
  )
  return (
    <form class="form" noValidate ref={element} onSubmit={(event) => void send(event)}>
      <FormFaults form={form} fields={fields} element={element} />
      <HeldFields isHeld={form.isHeld}>
        {place > 0 && inputs(fields.slice(0, place))}
        {preview?.show(values)}
        {inputs(fields.slice(place))}
      </HeldFields>
      {children}
    </form>
  )
}

interface FormFaultsProps {
  form: TypedForm<Values>
  fields: readonly FieldDescription[]
  element: RefObject<HTMLFormElement | null>
}

export function FormFaults({ form: { error, faults }, fields, element }: FormFaultsProps) {
  const label = (pointer: string) => labelAt(fields, pointer)
  return <FaultSummary error={error} faults={faults} labelOf={label} form={element} />
}

export function faultsOf({ faults }: Pick<TypedForm<Values>, 'faults'>): ReadonlyMap<string, string> {
  return new Map(faults.map(({ pointer, reason }) => [pointer, reason]))
}
