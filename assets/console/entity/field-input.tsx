/** The control for a field, by its kind. Values are those of the API: numbers, texts, booleans, ids, lists. */
import { parseKeepingNumbers } from '../../../src/core/schema/exact-number.ts'
import type { ControlProps } from '../component/field.tsx'
import { emailInput } from '../component/form.tsx'
import type { FieldDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import { FileInput } from './file-input.tsx'
import { ReferencePicker } from './reference-picker.tsx'
import { UserPicker } from './user-reference.tsx'

interface InputProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  onChange: (value: unknown) => void
}

const longTextLength = 200

export function FieldInput(props: InputProps) {
  const { field, control, value, onChange } = props
  const { kind, schema } = field
  switch (kind) {
    case 'boolean':
      return (
        <input
          {...control}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )
    case 'integer':
    case 'money':
      return <NumberInput {...props} />
    case 'enum':
      return <Choice {...props} />
    case 'date':
      return <TextInput {...props} type="date" />
    case 'timestamp':
      return <MomentInput {...props} />
    case 'reference':
      if (field.entity === 'file') return <FileInput {...props} />
      return field.entity === 'user' ? <UserPicker {...props} /> : <ReferencePicker {...props} />
    case 'json':
      return <JsonInput {...props} />
    default:
      return (schema.maxLength ?? 0) > longTextLength ? (
        <textarea
          {...control}
          maxLength={schema.maxLength}
          value={typeof value === 'string' ? value : ''}
          onInput={(event) => onChange(textOf(field, event.currentTarget.value))}
        />
      ) : (
        <TextInput {...props} type={schema.maxLength === 256 && field.name === 'email' ? 'email' : 'text'} />
      )
  }
}

/** No text is no value, where there may be none. */
function textOf({ isNullable }: FieldDescription, typed: string): string | null {
  return typed === '' && isNullable ? null : typed
}

function TextInput({
  field,
  control,
  value,
  onChange,
  type,
}: InputProps & { type: 'text' | 'email' | 'date' }) {
  const kind = { text: { type: 'text' }, email: emailInput, date: { type: 'date' } } as const
  return (
    <input
      {...control}
      {...kind[type]}
      maxLength={type === 'text' ? field.schema.maxLength : undefined}
      value={typeof value === 'string' ? value : ''}
      onInput={(event) => onChange(textOf(field, event.currentTarget.value))}
    />
  )
}

function NumberInput({ field, control, value, onChange }: InputProps) {
  const { minimum, maximum } = field.schema
  const change = (typed: string) =>
    onChange(typed === '' ? (field.isNullable ? null : undefined) : Number(typed))
  return (
    <input
      {...control}
      type="number"
      inputMode={field.kind === 'money' ? 'decimal' : 'numeric'}
      step={field.kind === 'money' ? 'any' : 1}
      min={minimum}
      max={maximum}
      value={typeof value === 'number' ? value : ''}
      onInput={(event) => change(event.currentTarget.value)}
    />
  )
}

function Choice({ field, control, value, onChange }: InputProps) {
  const values = (field.schema.enum ?? []).filter((each) => each !== null).map(String)
  return (
    <select
      {...control}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) =>
        onChange(
          event.currentTarget.value === ''
            ? field.isNullable
              ? null
              : undefined
            : event.currentTarget.value,
        )
      }
    >
      {(field.isNullable || value === undefined) && <option value="">{text.state.none}</option>}
      {values.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  )
}

/** The browser shows the local time; the API has UTC. */
function MomentInput({ field, control, value, onChange }: InputProps) {
  const shown = typeof value === 'string' ? localTime(new Date(value)) : ''
  const change = (typed: string) => {
    if (typed === '') onChange(field.isNullable ? null : undefined)
    else onChange(new Date(typed).toISOString())
  }
  return (
    <input
      {...control}
      type="datetime-local"
      value={shown}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}

function localTime(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** What is no JSON stays text, and the service refuses it, as it does numbers that JavaScript would change. */
function JsonInput({ control, value, onChange }: InputProps) {
  const change = (typed: string) => {
    try {
      onChange(typed.trim() === '' ? null : parseKeepingNumbers(typed))
    } catch {
      onChange(typed)
    }
  }
  const shown =
    typeof value === 'string' || value === undefined ? (value ?? '') : JSON.stringify(value, null, 2)
  return (
    <textarea
      {...control}
      class="code"
      spellcheck={false}
      value={value === null ? '' : shown}
      onChange={(event) => change(event.currentTarget.value)}
    />
  )
}
