/** The filters of a list, as its endpoint has them: each change is a new address. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { Field } from '../../component/field.tsx'
import { usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { localTime } from './moment.tsx'

export interface Filter {
  name: string
  label: string
  /** A list of values to choose from, or what is typed. */
  kind: 'text' | 'moment' | readonly (readonly [value: string, label: string])[]
}

interface FiltersProps {
  filters: readonly Filter[]
  isFiltered: boolean
  onChange: (changes: Readonly<Record<string, string | null>>) => void
}

export function Filters({ filters, isFiltered, onChange }: FiltersProps) {
  const { query } = usePlace()
  return (
    <div class="filters">
      {filters.map((filter) => (
        <Field key={filter.name} label={filter.label}>
          {(control) => (
            <FilterInput
              filter={filter}
              control={control}
              value={query.get(filter.name) ?? ''}
              onChange={(value) => onChange({ [filter.name]: value === '' ? null : value })}
            />
          )}
        </Field>
      ))}
      {isFiltered && (
        <button
          type="button"
          onClick={() => onChange(Object.fromEntries(filters.map(({ name }) => [name, null])))}
        >
          {text.list.clear}
        </button>
      )}
    </div>
  )
}

interface InputProps {
  filter: Filter
  control: { id: string }
  value: string
  onChange: (value: string) => void
}

/** What is typed stays while the list is shown anew, and becomes the filter when it is complete. */
function TypedInput({ control, value, onChange }: Omit<InputProps, 'filter'>) {
  const [typed, setTyped] = useState(value)
  useLayoutEffect(() => setTyped(value), [value]) // before anything can be typed
  return (
    <input
      {...control}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  )
}

function FilterInput({ filter: { kind }, control, value, onChange }: InputProps) {
  if (kind === 'text') return <TypedInput control={control} value={value} onChange={onChange} />
  if (kind === 'moment')
    return (
      <input
        {...control}
        type="datetime-local"
        value={value === '' ? '' : localTime(new Date(value))}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.value === '' ? '' : new Date(currentTarget.value).toISOString())
        }
      />
    )
  return (
    <select {...control} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{text.webhook.all}</option>
      {kind.map(([each, label]) => (
        <option key={each} value={each}>
          {label}
        </option>
      ))}
    </select>
  )
}
