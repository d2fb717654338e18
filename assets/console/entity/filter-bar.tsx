/** The search and the filters of a list, each filter as a chip that can be removed. */
import { useState } from 'preact/hooks'
import { Dialog } from '../component/dialog.tsx'
import { Field } from '../component/field.tsx'
import { type EntityDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { FieldInput } from './field-input.tsx'
import { filteredFields, type ListFilter, operatorsOf, parameterOf } from './filter.ts'
import { Value } from './value.tsx'

interface FilterBarProps {
  entity: EntityDescription
  filters: readonly ListFilter[]
  search: string
  onSearch: (words: string) => void
  onAdd: (filter: ListFilter) => void
  onRemove: (filter: ListFilter) => void
  onClear: () => void
}

export function FilterBar({ entity, filters, search, onSearch, onAdd, onRemove, onClear }: FilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const [words, setWords] = useState(search)
  const submit = (event: Event) => {
    event.preventDefault()
    onSearch(words)
  }
  return (
    <div class="row">
      {entity.isSearched && (
        <search>
          <form class="row" onSubmit={submit}>
            <input
              class="inline"
              type="search"
              aria-label={text.action.search}
              placeholder={text.action.search}
              value={words}
              onInput={(event) => setWords(event.currentTarget.value)}
            />
            <button type="submit">{text.action.search}</button>
          </form>
        </search>
      )}
      {filters.map((filter) => (
        <span class="chip" key={parameterOf(filter)}>
          <span>
            {labelOf(filter.field)} {text.list.operators[filter.operator] ?? filter.operator}{' '}
            {filter.operator !== 'isNull' && <FilterValue filter={filter} />}
          </span>
          <button
            type="button"
            aria-label={`${text.action.remove}: ${labelOf(filter.field)}`}
            onClick={() => onRemove(filter)}
          >
            ✕
          </button>
        </span>
      ))}
      <button type="button" onClick={() => setOpen(true)}>
        {text.list.filter}
      </button>
      {(filters.length > 0 || search !== '') && (
        <button type="button" class="plain" onClick={onClear}>
          {text.list.clear}
        </button>
      )}
      {isOpen && (
        <NewFilter
          entity={entity}
          onAdd={(filter) => {
            setOpen(false)
            onAdd(filter)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

function FilterValue({ filter: { field, operator, value } }: { filter: ListFilter }) {
  if (operator === 'in') return <>{value}</>
  return <Value field={field} value={field.kind === 'boolean' ? value === 'true' : value} />
}

interface NewFilterProps {
  entity: EntityDescription
  onAdd: (filter: ListFilter) => void
  onClose: () => void
}

function NewFilter({ entity, onAdd, onClose }: NewFilterProps) {
  const fields = filteredFields(entity)
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find((each) => each.name === name)
  const operators = field === undefined ? [] : operatorsOf(field)
  const [chosen, setOperator] = useState<string | null>(null)
  const operator = chosen !== null && operators.includes(chosen) ? chosen : (operators[0] ?? 'eq')
  const [value, setValue] = useState<unknown>(undefined)
  const submit = (event: Event) => {
    event.preventDefault()
    if (field === undefined) return
    const given = field.kind === 'boolean' ? value === true : operator === 'isNull' ? true : value
    if (given !== undefined && given !== null && given !== '')
      onAdd({ field, operator, value: String(given) })
  }
  // A list of values is typed, separated by commas.
  const typed =
    field !== undefined && operator === 'in' ? { ...field, kind: 'text' as const, schema: {} } : field
  return (
    <Dialog title={text.list.filter} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <Field label={text.list.field}>
          {(control) => (
            <select
              {...control}
              value={name}
              onChange={(event) => {
                setName(event.currentTarget.value)
                setValue(undefined)
              }}
            >
              {fields.map((each) => (
                <option key={each.name} value={each.name}>
                  {labelOf(each)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={text.list.operator}>
          {(control) => (
            <select
              {...control}
              value={operator}
              onChange={(event) => setOperator(event.currentTarget.value)}
            >
              {operators.map((each) => (
                <option key={each} value={each}>
                  {text.list.operators[each] ?? each}
                </option>
              ))}
            </select>
          )}
        </Field>
        {typed !== undefined && operator !== 'isNull' && (
          <Field label={text.list.value}>
            {(control) => <FieldInput field={typed} control={control} value={value} onChange={setValue} />}
          </Field>
        )}
        <div class="row">
          <button type="submit" class="main">
            {text.action.add}
          </button>
          <button type="button" onClick={onClose}>
            {text.action.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
