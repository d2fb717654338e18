/** The inputs of several fields, and of the lists of rows that belong to a row. */
import { Field } from '../component/field.tsx'
import { type FieldDescription, labelOf, type Values, words } from '../describe.ts'
import { text } from '../text/text.ts'
import { FieldInput } from './field-input.tsx'

/** Reasons by JSON pointer. */
export type Faults = ReadonlyMap<string, string>

interface FieldsProps {
  fields: readonly FieldDescription[]
  values: Values
  faults: Faults
  /** The pointer of the object that has the fields. */
  pointer?: string
  onChange: (values: Values) => void
}

export function FieldInputs({ fields, values, faults, pointer = '', onChange }: FieldsProps) {
  return (
    <>
      {fields
        .filter(({ isReadOnly }) => !isReadOnly)
        .map((field) => {
          const place = `${pointer}/${field.name}`
          const change = (value: unknown) => onChange({ ...values, [field.name]: value })
          if (field.kind === 'many')
            return (
              <ItemsInput
                key={field.name}
                field={field}
                value={values[field.name]}
                faults={faults}
                pointer={place}
                onChange={change}
              />
            )
          return (
            <Field
              key={field.name}
              label={labelOf(field)}
              hint={field.description}
              fault={faults.get(place) ?? null}
              isRequired={field.isRequired}
            >
              {(control) => (
                <FieldInput field={field} control={control} value={values[field.name]} onChange={change} />
              )}
            </Field>
          )
        })}
    </>
  )
}

interface ItemsProps {
  field: FieldDescription
  value: unknown
  faults: Faults
  pointer: string
  onChange: (items: readonly Values[]) => void
}

function ItemsInput({ field, value, faults, pointer, onChange }: ItemsProps) {
  const items = Array.isArray(value) ? (value as Values[]) : [] // rows of a `many`
  const replace = (index: number, item: Values) =>
    onChange(items.map((each, at) => (at === index ? item : each)))
  const fault = faults.get(pointer)
  return (
    <fieldset class="stack card">
      <legend class="label">{words(field.name)}</legend>
      {fault !== undefined && <span class="field fault">{fault}</span>}
      {items.map((item, index) => (
        <div key={index} class="stack card">
          <FieldInputs
            fields={field.fields ?? []}
            values={item}
            faults={faults}
            pointer={`${pointer}/${index}`}
            onChange={(next) => replace(index, next)}
          />
          <button type="button" onClick={() => onChange(items.filter((_, at) => at !== index))}>
            {text.action.remove}
          </button>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...items, {}])}>
        {text.action.add}
      </button>
    </fieldset>
  )
}
