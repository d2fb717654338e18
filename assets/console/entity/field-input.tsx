/** The control for a field, by its kind. Values are those of the API: numbers, texts, booleans, ids, lists. */
import { useState } from 'preact/hooks'
import type { ControlProps } from '../component/field.tsx'
import { emailInput } from '../component/form.tsx'
import { type FieldDescription, wordOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { FileInput } from './file-input.tsx'
import { JsonInput } from './json-input.tsx'
import { isAddress, isLong } from './layout.ts'
import { isListOfTexts, ListInput } from './list-input.tsx'
import { ReferencePicker } from './reference-picker.tsx'

interface InputProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  /** Whether there is room to show few words side by side. */
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
      return <TextInput {...props} />
    case 'timestamp':
      return <MomentInput {...props} />
    case 'reference':
      if (field.entity === 'file') return <FileInput {...props} />
      return <ReferencePicker {...props} />
    case 'json':
      return isListOfTexts(field) ? <ListInput {...props} /> : <JsonInput {...props} />
    default:
      return isLong(field) ? <LongTextInput {...props} /> : <TextInput {...props} />
  }
}

/** No text is no value, where there may be none. */
function textOf({ isNullable }: FieldDescription, typed: string): string | null {
  return typed === '' && isNullable ? null : typed
}

function kindOf(field: FieldDescription) {
  const { kind, name, schema, widget } = field
  if (kind === 'date') return { type: 'date' } as const
  if (widget?.kind === 'email' || (schema.maxLength === 256 && name === 'email')) return emailInput
  if (isAddress(field)) return { type: 'text', inputMode: 'url', spellcheck: false } as const
  if (widget?.kind === 'phone') return { type: 'tel' } as const
  return { type: 'text' } as const
}

function TextInput({ field, control, value, onChange }: InputProps) {
  const shown = typeof value === 'string' ? value : ''
  return (
    <>
      <input
        {...control}
        {...kindOf(field)}
        class={field.kind === 'date' ? 'short' : undefined}
        autocomplete="off"
        value={shown}
        onInput={(event) => onChange(textOf(field, event.currentTarget.value))}
      />
      {field.kind !== 'date' && <Excess field={field} typed={shown} />}
    </>
  )
}

/** It grows with the text. What is too long stays, and its excess is told: nothing is cut off. */
function LongTextInput({ field, control, value, onChange }: InputProps) {
  const shown = typeof value === 'string' ? value : ''
  return (
    <>
      <textarea
        {...control}
        value={shown}
        onInput={(event) => onChange(textOf(field, event.currentTarget.value))}
      />
      <Excess field={field} typed={shown} />
    </>
  )
}

/** From nine tenths of what may be typed. */
function Excess({ field: { schema }, typed }: { field: FieldDescription; typed: string }) {
  const { maxLength } = schema
  if (maxLength === undefined || typed.length < maxLength * 0.9) return null
  return (
    <span class={typed.length > maxLength ? 'fault' : 'hint'} role="status">
      {text.form.letters(typed.length, maxLength)}
    </span>
  )
}

/** With a point or a comma. What is no number stays text, and the service says what is wrong with it. */
function NumberInput({ field, control, value, onChange }: InputProps) {
  const [typed, setTyped] = useState<{ words: string; value: unknown } | null>(null)
  const { currency } = field.widget ?? {}
  const shown = typed !== null && typed.value === value ? typed.words : value
  const change = (words: string) => {
    const given = words.trim().replace(',', '.')
    const number = Number(given)
    const next = given === '' ? (field.isNullable ? null : undefined) : Number.isNaN(number) ? words : number
    setTyped({ words, value: next })
    onChange(next)
  }
  const input = (
    <input
      {...control}
      type="text"
      inputMode={field.kind === 'money' ? 'decimal' : 'numeric'}
      autocomplete="off"
      class="short figures"
      value={typeof shown === 'number' || typeof shown === 'string' ? shown : ''}
      onInput={(event) => change(event.currentTarget.value)}
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

/** Few short words are seen at once; others are in a list. */
function Choice(props: InputProps) {
  const { field, control, value, isSpacious = false, onChange } = props
  const words = (field.schema.enum ?? []).filter((each) => each !== null).map(String)
  if (isSpacious && words.length <= maxSegments && words.join('').length <= maxSegmentLetters)
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

/** The browser shows the local time; the API has UTC. */
function MomentInput({ field, control, value, onChange }: InputProps) {
  const shown = typeof value === 'string' ? localTime(new Date(value)) : ''
  const change = (typed: string) => {
    if (typed === '') onChange(field.isNullable ? null : undefined)
    else onChange(new Date(typed).toISOString())
  }
  return (
    <>
      <input
        {...control}
        type="datetime-local"
        class="short"
        value={shown}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <span class="hint">{Intl.DateTimeFormat().resolvedOptions().timeZone}</span>
    </>
  )
}

function localTime(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
