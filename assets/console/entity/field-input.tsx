/** The control for a field, chosen by its kind. Values are those of the API: numbers, texts, booleans, ids, lists. */
import { DayInput, MomentInput } from '../component/day-input.tsx'
import type { ControlProps } from '../component/field.tsx'
import { emailInput } from '../component/form.tsx'
import { useTyped } from '../component/typed.ts'
import { type FieldDescription, wordOf, wordsOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { ColorInput, isOfColor } from './color-input.tsx'
import { FileInput } from './file-input.tsx'
import { JsonInput } from './json-input.tsx'
import { isAddress, isLong } from './layout.ts'
import { isListOfTexts, ListInput } from './list-input.tsx'
import { MarkdownInput } from './markdown-input.tsx'
import { ReferencePicker } from './reference-picker.tsx'

interface InputProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  /** Whether there is room to show a few words side by side. */
  isSpacious?: boolean
  onChange: (value: unknown) => void
}

export function FieldInput(props: InputProps) {
  const { field, control, value, onChange } = props
  switch (field.kind) {
    case 'boolean':
      return (
        <input
          {...control}
          type="checkbox"
          role={field.widget?.kind === 'switch' ? 'switch' : undefined}
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
    case 'timestamp': {
      const Input = field.kind === 'date' ? DayInput : MomentInput
      return (
        <Input
          control={control}
          value={typeof value === 'string' ? value : ''}
          onChange={(next) => onChange(textOf(field, next))}
        />
      )
    }
    case 'reference':
      if (field.entity === 'file') return <FileInput {...props} />
      return <ReferencePicker {...props} />
    case 'json':
      return isListOfTexts(field) ? <ListInput {...props} /> : <JsonInput {...props} />
    default:
      if (isOfColor(field))
        return <ColorInput {...props} onChange={(next) => onChange(textOf(field, next))} />
      return isLong(field) ? <LongTextInput {...props} /> : <TextInput {...props} />
  }
}

/** @returns `null` instead of an empty text, if the field may be `null` */
function textOf({ isNullable }: FieldDescription, typed: string): string | null {
  return typed === '' && isNullable ? null : typed
}

function kindOf(field: FieldDescription) {
  const { name, schema, widget } = field
  if (widget?.kind === 'email' || (schema.maxLength === 256 && name === 'email')) return emailInput
  if (isAddress(field)) return { type: 'text', inputMode: 'url', spellcheck: false } as const
  if (widget?.kind === 'phone') return { type: 'tel' } as const
  if (widget?.kind === 'secret') return { type: 'password' } as const
  return { type: 'text' } as const
}

function TextInput({ field, control, value, onChange }: InputProps) {
  const shown = typeof value === 'string' ? value : ''
  return (
    <>
      <input
        {...control}
        {...kindOf(field)}
        autocomplete="off"
        value={shown}
        onInput={(event) => onChange(textOf(field, event.currentTarget.value))}
      />
      <Excess field={field} typed={shown} />
    </>
  )
}

/** A text area that grows with its text. A text that is too long is not cut; the number of letters is shown. */
function LongTextInput({ field, control, value, isSpacious = false, onChange }: InputProps) {
  const shown = typeof value === 'string' ? value : ''
  const input = (
    <>
      <textarea
        {...control}
        class={field.widget?.kind === 'code' ? 'code' : undefined}
        value={shown}
        onInput={(event) => onChange(textOf(field, event.currentTarget.value))}
      />
      <Excess field={field} typed={shown} />
    </>
  )
  if (!isSpacious || field.widget?.kind !== 'markdown') return input
  return <MarkdownInput source={shown}>{input}</MarkdownInput>
}

/**
 * Shows the number of letters from nine tenths of the maximum, counted as the service does: an emoji is one of them.
 * With a pattern, such as for a colour, nothing is shown.
 */
function Excess({ field: { schema }, typed }: { field: FieldDescription; typed: string }) {
  const { maxLength } = schema
  const { length } = [...typed]
  if (maxLength === undefined || length < maxLength * 0.9 || schema.pattern !== undefined) return null
  return (
    <span class={length > maxLength ? 'fault' : 'hint'} role="status">
      {text.form.letters(length, maxLength)}
    </span>
  )
}

/**
 * A number with a decimal point or comma. A text that is no number is sent as it is, and the service reports the
 * fault.
 */
function NumberInput({ field, control, value, onChange }: InputProps) {
  const { currency } = field.widget ?? {}
  const { forget: _forget, ...typed } = useTyped({
    value,
    show: (number) => (typeof number === 'number' || typeof number === 'string' ? String(number) : ''),
    read: (words) => {
      const given = words.trim().replace(',', '.')
      if (given === '') return field.isNullable ? null : undefined
      return Number.isNaN(Number(given)) ? words : Number(given)
    },
    onChange,
  })
  const input = (
    <input
      {...control}
      {...typed}
      type="text"
      inputMode={field.kind === 'money' ? 'decimal' : 'numeric'}
      autocomplete="off"
      class="short figures"
    />
  )
  if (currency === undefined) return input
  return (
    <span class="with-unit">
      <span class="unit" aria-hidden="true">
        {currency}
      </span>
      {input}
    </span>
  )
}

const maxSegments = 5
const maxSegmentLetters = 40

/** A few short words are shown side by side; more are in a list. */
function Choice(props: InputProps) {
  const { field, control, value, isSpacious = false, onChange } = props
  const words = wordsOf(field)
  const isShort = words.length <= maxSegments && words.join('').length <= maxSegmentLetters
  if (isSpacious && (isShort || field.widget?.kind === 'segments'))
    return <Segments {...props} words={words} />
  const none = field.isNullable ? null : undefined
  return (
    <select
      {...control}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? none : currentTarget.value)}
    >
      {(field.isNullable || value === undefined) && <option value="">{text.state.none}</option>}
      {words.map((each) => (
        <option key={each} value={each}>
          {wordOf(field, each)}
        </option>
      ))}
    </select>
  )
}

function Segments({ field, control, value, onChange, words }: InputProps & { words: readonly string[] }) {
  const { id, ...states } = control
  const options = field.isNullable ? [null, ...words] : words
  return (
    <div id={id} class="segments" role="radiogroup" aria-labelledby={`${id}-label`} {...states}>
      {options.map((each) => (
        <label key={each} class="segment">
          <input type="radio" name={id} checked={(value ?? null) === each} onChange={() => onChange(each)} />
          {each === null ? text.state.none : wordOf(field, each)}
        </label>
      ))}
    </div>
  )
}
