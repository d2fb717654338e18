/** Filters that are kept in the address of the page. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../../component/field.tsx'
import { goTo, hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'

export interface Filter {
  name: string
  label: string
  /** None: any text. */
  values?: readonly string[]
}

/** @returns those of the filters that the address has */
export function useFilters(filters: readonly Filter[]): Record<string, string> {
  const { query } = usePlace()
  return Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )
}

interface FiltersProps {
  path: string
  filters: readonly Filter[]
  children?: ComponentChildren
}

export function Filters({ path, filters, children }: FiltersProps) {
  const shown = useFilters(filters)
  return (
    <FilterForm key={JSON.stringify(shown)} path={path} filters={filters} shown={shown} extra={children} />
  )
}

interface FilterFormProps {
  path: string
  filters: readonly Filter[]
  shown: Readonly<Record<string, string>>
  extra: ComponentChildren
}

function FilterForm({ path, filters, shown, extra }: FilterFormProps) {
  const [typed, setTyped] = useState(shown)
  const apply = (values: Readonly<Record<string, string>>) =>
    goTo(hrefOf(path, Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))))
  return (
    <form
      class="row filters"
      onSubmit={(event) => {
        event.preventDefault()
        apply(typed)
      }}
    >
      {filters.map(({ name, label, values }) => (
        <Field key={name} label={label}>
          {(control) =>
            values === undefined ? (
              <input
                {...control}
                type="text"
                value={typed[name] ?? ''}
                onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
              />
            ) : (
              <select
                {...control}
                value={typed[name] ?? ''}
                onChange={(event) => apply({ ...typed, [name]: event.currentTarget.value })}
              >
                <option value="">{text.administration.common.all}</option>
                {values.map((value) => (
                  <option key={value} value={value}>
                    {value}
                  </option>
                ))}
              </select>
            )
          }
        </Field>
      ))}
      <button type="submit">{text.administration.common.filter}</button>
      {Object.keys(shown).length > 0 && (
        <button type="button" class="plain" onClick={() => apply({})}>
          {text.list.clear}
        </button>
      )}
      {extra}
    </form>
  )
}
