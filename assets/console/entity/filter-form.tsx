/** The form of a filter: a field, a condition and a value. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Field } from '../component/field.tsx'
import { type EntityDescription, type FieldDescription, wordOf, wordsOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { FieldInput } from './field-input.tsx'
import { filteredFields, type ListFilter, operatorsOf } from './filter.ts'
import { MemberSelect } from './member-select.tsx'
import { ReferencePicker } from './reference-picker.tsx'
import { useWordCounts } from './word-counts.ts'

/** The most common conditions, offered as buttons. */
const commonConditions = [
  ['today', text.table.thisDay],
  ...[7, 30].map((days) => [`today-${days}`, text.table.lastDays(days)] as const),
] as const

interface FormProps {
  entity: EntityDescription
  initial: ListFilter | null
  /** The filters of the list. */
  filters: readonly ListFilter[]
  search: string
  onAdd: (filter: ListFilter) => void
  onClose: () => void
}

export function FilterForm({ entity, initial, filters, search, onAdd, onClose }: FormProps) {
  const fields = filteredFields(entity)
  const [name, setName] = useState(initial?.field.name ?? fields[0]?.name ?? '')
  const field = fields.find((each) => each.name === name)
  const operators = field === undefined ? [] : operatorsOf(field)
  const [chosen, setOperator] = useState(initial?.operator ?? null)
  const usual = field?.kind === 'enum' && operators.includes('in') ? 'in' : operators[0]
  const operator = chosen !== null && operators.includes(chosen) ? chosen : (usual ?? 'eq')
  const [value, setValue] = useState<unknown>(initial === null ? undefined : givenValue(initial))
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('select')?.focus(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    if (field === undefined) return
    const given = field.kind === 'boolean' ? value === true : operator === 'isNull' ? true : value
    if (given !== undefined && given !== null && given !== '')
      onAdd({ field, operator, value: String(given) })
  }
  return (
    <form class="form" ref={form} onSubmit={submit}>
      <Field label={text.list.field}>
        {(control) => (
          <MemberSelect
            control={control}
            fields={fields}
            name={name}
            onChange={(other) => {
              setName(other)
              setValue(undefined)
            }}
          />
        )}
      </Field>
      {(field?.kind === 'date' || field?.kind === 'timestamp') && (
        <div class="row">
          {commonConditions.map(([day, label]) => (
            <button
              type="button"
              key={day}
              onClick={() =>
                onAdd({
                  field,
                  operator: day === 'today' && field.kind === 'date' ? 'eq' : 'gte',
                  value: day,
                })
              }
            >
              {label}
            </button>
          ))}
        </div>
      )}
      <Field label={text.list.operator}>
        {(control) => (
          <select
            {...control}
            value={operator}
            onChange={(event) => {
              setOperator(event.currentTarget.value)
              setValue(undefined)
            }}
          >
            {operators.map((each) => (
              <option key={each} value={each}>
                {text.list.operators[each] ?? each}
              </option>
            ))}
          </select>
        )}
      </Field>
      {field !== undefined && operator !== 'isNull' && (
        <ValueInput
          list={{ entity, filters, search }}
          field={field}
          operator={operator}
          value={value}
          onChange={setValue}
        />
      )}
      <div class="row">
        <button type="submit" class="main">
          {initial === null ? text.action.add : text.table.change}
        </button>
        <button type="button" onClick={onClose}>
          {text.action.cancel}
        </button>
      </div>
    </form>
  )
}

interface ValueProps {
  list: Pick<FormProps, 'entity' | 'filters' | 'search'>
  field: FieldDescription
  operator: string
  value: unknown
  onChange: (value: unknown) => void
}

function ValueInput({ list, field, operator, value, onChange }: ValueProps) {
  if (operator === 'in' && field.kind === 'enum')
    return <WordBoxes list={list} field={field} value={value} onChange={onChange} />
  // Several values are typed as one text, separated by commas.
  const typed = operator === 'in' ? { ...field, kind: 'text' as const, schema: {} } : field
  const input = { field: typed, value, onChange }
  return (
    <Field label={text.list.value}>
      {(control) =>
        typed.kind === 'reference' && typed.entity !== 'file' ? (
          <ReferencePicker {...input} control={control} offersMe />
        ) : (
          <FieldInput {...input} control={control} />
        )
      }
    </Field>
  )
}

function WordBoxes({ list, field, value, onChange }: Omit<ValueProps, 'operator'>) {
  const countOf = useWordCounts(list, field)
  const chosen = typeof value === 'string' && value !== '' ? value.split(',') : []
  const toggle = (word: string) =>
    onChange((chosen.includes(word) ? chosen.filter((each) => each !== word) : [...chosen, word]).join(','))
  return (
    <fieldset class="plain">
      <legend class="label">{text.list.value}</legend>
      {wordsOf(field).map((word) => (
        <label class="choice" key={word}>
          <input type="checkbox" checked={chosen.includes(word)} onChange={() => toggle(word)} />
          {wordOf(field, word)} <span class="end soft figures">{countOf(word)}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** @returns the value of a filter for its control */
function givenValue({ field, operator, value }: ListFilter): unknown {
  if (operator === 'in') return value
  if (field.kind === 'boolean') return value === 'true'
  return field.kind === 'integer' || field.kind === 'money' || field.kind === 'sequence'
    ? Number(value)
    : value
}
