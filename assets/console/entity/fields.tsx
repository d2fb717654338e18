/**
 * The inputs for the fields of an object, also for nested objects and for lists of rows (fields of the kind `many`).
 */
import { Plus, X } from 'lucide'
import { useState } from 'preact/hooks'
import { Field } from '../component/field.tsx'
import { Icon } from '../component/icon.tsx'
import { isSame } from '../component/merge.ts'
import { type FieldDescription, labelOf, type Values } from '../describe.ts'
import { text } from '../text/text.ts'
import { FieldInput } from './field-input.tsx'
import { isObject, mayBeEmpty, ownValue } from './given-value.ts'
import { jsonMembers, jsonValue } from './json-members.ts'
import { isLong } from './layout.ts'
import { plainText } from './plain-text.ts'

/** The reasons of faults by JSON pointer. */
export type Faults = ReadonlyMap<string, string>

interface FieldsProps {
  fields: readonly FieldDescription[]
  /** All fields of the form, if `fields` are only some of them. */
  ofForm?: readonly FieldDescription[]
  values: Values
  /** The former values, to mark changed fields; if absent, nothing is marked. */
  base?: Values | null
  faults: Faults
  /** The JSON pointer of the object with these fields. */
  pointer?: string
  onChange: (values: Values) => void
}

export function FieldInputs(props: FieldsProps) {
  const { fields, ofForm = fields } = props
  // If no field is required, none is marked as optional.
  const marksOptional = ofForm.some(({ isRequired }) => isRequired)
  return (
    <>
      {fields
        .filter(({ isReadOnly }) => !isReadOnly)
        .map((field) => (
          <OneInput
            {...props}
            key={field.name}
            field={field}
            isOptional={marksOptional && mayBeEmpty(field)}
          />
        ))}
    </>
  )
}

interface OneProps extends FieldsProps {
  field: FieldDescription
  isOptional: boolean
}

function OneInput({ field, isOptional, values, base = null, faults, pointer = '', onChange }: OneProps) {
  const value = ownValue(values, field.name)
  // The kind of control is chosen once, so that it does not change while somebody types in it.
  const [members] = useState(() => jsonMembers(field, value))
  const was = base === null ? undefined : ownValue(base, field.name)
  const change = (next: unknown) => onChange({ ...values, [field.name]: next })
  const shared = { field, value, faults, pointer: `${pointer}/${field.name}`, onChange: change }
  if (field.kind === 'many') return <LinesInput {...shared} />
  if (members !== null) return <ObjectInput {...shared} members={members} base={base && valuesIn(was)} />
  const isChanged = base !== null && !isSame(was, value)
  return (
    <Field
      class={isLong(field) ? 'is-long' : field.kind === 'boolean' ? 'is-check' : ''}
      label={labelOf(field)}
      hint={field.description}
      fault={faultWithin(faults, shared.pointer)}
      pointer={shared.pointer}
      isRequired={field.isRequired}
      isOptional={isOptional}
      change={isChanged ? { was: text.form.was(plainText(field, was)), undo: () => change(was) } : null}
    >
      {(control) => <FieldInput field={field} control={control} value={value} isSpacious onChange={change} />}
    </Field>
  )
}

/** @returns the fault of the value, or else the first fault inside it, with its place */
function faultWithin(faults: Faults, pointer: string): string | null {
  const own = faults.get(pointer)
  if (own !== undefined) return own
  const [inner] = [...faults].filter(([at]) => at.startsWith(`${pointer}/`))
  return inner === undefined
    ? null
    : `${inner[0].slice(pointer.length + 1).replaceAll('/', '.')}: ${inner[1]}`
}

interface ObjectProps extends Pick<FieldsProps, 'faults' | 'base'> {
  field: FieldDescription
  members: readonly FieldDescription[]
  value: unknown
  pointer: string
  onChange: (value: Values | null) => void
}

/** The inputs for the members of a JSON value. */
function ObjectInput({ field, members, value, base = null, faults, pointer, onChange }: ObjectProps) {
  const fault = faults.get(pointer)
  const values = valuesIn(value)
  return (
    <fieldset class="is-long" data-pointer={pointer}>
      <legend class="label">{labelOf(field)}</legend>
      {fault !== undefined && <span class="fault">{fault}</span>}
      <div class="fields">
        <FieldInputs
          fields={members}
          values={values}
          base={base}
          faults={faults}
          pointer={pointer}
          onChange={(next) => onChange(jsonValue(field, members, values, next))}
        />
      </div>
      {field.isNullable && (value ?? null) !== null && (
        <button type="button" class="link" onClick={() => onChange(null)}>
          {text.form.clear}
        </button>
      )}
    </fieldset>
  )
}

function valuesIn(value: unknown): Values {
  return isObject(value) ? value : {}
}

interface LinesProps {
  field: FieldDescription
  value: unknown
  faults: Faults
  pointer: string
  onChange: (lines: readonly Values[]) => void
}

/** The inputs for a list of rows: side by side below one heading, or one below the other on a narrow screen. */
function LinesInput({ field, value, faults, pointer, onChange }: LinesProps) {
  const lines = Array.isArray(value) ? (value as Values[]) : [] // the rows of the list
  const fields = (field.fields ?? []).filter(({ isReadOnly }) => !isReadOnly)
  const replace = (index: number, line: Values) =>
    onChange(lines.map((each, at) => (at === index ? line : each)))
  const fault = faults.get(pointer)
  return (
    <fieldset class="line-table is-long" data-pointer={pointer}>
      <legend class="label">
        {labelOf(field)} {lines.length > 0 && <span class="soft">{lines.length}</span>}
      </legend>
      {fault !== undefined && <span class="fault">{fault}</span>}
      {lines.map((line, index) => (
        <div key={index} class="line">
          <FieldInputs
            fields={fields}
            values={line}
            faults={faults}
            pointer={`${pointer}/${index}`}
            onChange={(next) => replace(index, next)}
          />
          <button
            type="button"
            class="plain only-icon"
            aria-label={text.form.removeLine(index + 1)}
            onClick={() => onChange(lines.filter((_, at) => at !== index))}
          >
            <Icon node={X} />
          </button>
        </div>
      ))}
      <button type="button" class="add" onClick={() => onChange([...lines, {}])}>
        <Icon node={Plus} />
        {text.action.add}
      </button>
    </fieldset>
  )
}
