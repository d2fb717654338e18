/**
 * The filters of a built-in list. Each is a button ("chip") that shows its value, and opens a menu to choose
 * another.
 */
import { Plus, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import { MomentInput } from './day-input.tsx'
import { Field } from './field.tsx'
import { Icon } from './icon.tsx'
import type { List } from './list.ts'
import { Menu } from './menu.tsx'
import { formatMoment } from './moment-in-words.tsx'
import { type Option, OptionList, type Source } from './option-list.tsx'
import { SearchField } from './search-field.tsx'

export interface Filter {
  /** The parameter of the endpoint. */
  name: string
  label: string
  kind: 'search' | 'moment' | 'text' | 'hidden' | Source
  /**
   * Present if the control chooses between lists, such as the jobs of a tenant and all jobs. Removing all filters
   * keeps it.
   */
  isNoFilter?: true
}

interface FiltersProps {
  filters: readonly Filter[]
  list: Pick<List<unknown>, 'query' | 'show' | 'data'>
  children?: ComponentChildren
}

export function Filters({ filters, list: { query, show, data }, children }: FiltersProps) {
  const removable = filters.filter(({ name, isNoFilter }) => name in query && !isNoFilter)
  return (
    <div class="row filter-row">
      {filters.map((filter) => {
        const { name, kind } = filter
        const value = query[name] ?? null
        const change = (next: string | null) => show({ [name]: next })
        if (kind === 'hidden') return null
        if (kind === 'search')
          return <SearchField key={name} label={filter.label} words={value ?? ''} onSearch={change} />
        return <FilterChip key={name} filter={filter} value={value} onChange={change} />
      })}
      {removable.length > 0 && data?.length !== 0 && (
        <button
          type="button"
          class="plain"
          onClick={() => show(Object.fromEntries(removable.map(({ name }) => [name, null])))}
        >
          {text.list.clear}
        </button>
      )}
      {children}
    </div>
  )
}

interface FilterProps {
  filter: Filter
  value: string | null
  onChange: (value: string | null) => void
}

function FilterChip({ filter, value, onChange }: FilterProps) {
  const { can } = useApp()
  const { label } = filter
  const kind = filter.kind as Exclude<Filter['kind'], 'search' | 'hidden'> // `Filters` shows no chip for these two
  const pick = (next: string | null, picked: Element | null) => {
    const menu = picked?.closest('details')
    if (menu) menu.open = false
    menu?.querySelector('summary')?.focus()
    onChange(next)
  }
  return (
    <span class={value === null ? 'filter' : 'filter is-set'}>
      <Menu
        isLazy
        label={
          value === null ? (
            <>
              <Icon node={Plus} />
              {label}
            </>
          ) : (
            <>
              {label}{' '}
              <strong class="truncate">
                <ValueName kind={kind} value={value} />
              </strong>
            </>
          )
        }
      >
        {isTyped(kind, can) ? (
          <Typed filter={filter} value={value} onPick={pick} />
        ) : (
          <OptionList label={label} source={kind as Source} onPick={pick} />
        )}
      </Menu>
      {value !== null && (
        <button
          type="button"
          class="plain only-icon"
          aria-label={`${text.action.remove}: ${label}`}
          onClick={() => onChange(null)}
        >
          <Icon node={X} />
        </button>
      )}
    </span>
  )
}

/** Whether the value is typed: also instead of choosing by name, if the user may not see the names. */
function isTyped(kind: 'text' | 'moment' | Source, can: (permission: string) => boolean) {
  if (kind === 'text' || kind === 'moment') return true
  return 'permission' in kind && !can(kind.permission ?? '')
}

function ValueName({ kind, value }: { kind: Filter['kind']; value: string }) {
  const nameOf = typeof kind === 'object' && 'nameOf' in kind ? kind.nameOf : undefined
  const { data } = useLoaded(
    `${value} ${nameOf !== undefined}`,
    () => nameOf?.(value) ?? Promise.resolve(null),
  )
  if (kind === 'moment') return <>{formatMoment(value)}</>
  if (Array.isArray(kind)) return <>{kind.find(([each]: Option) => each === value)?.[1] ?? value}</>
  return <>{data ?? value}</>
}

interface TypedProps {
  filter: Filter
  value: string | null
  onPick: (value: string | null, element: Element) => void
}

function Typed({ filter: { label, kind }, value, onPick }: TypedProps) {
  const isMoment = kind === 'moment'
  const [typed, setTyped] = useState(value ?? '')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form
      ref={form}
      class="stack typed"
      onSubmit={(event) => {
        event.preventDefault()
        const given = typed.trim()
        onPick(given === '' ? null : given, event.currentTarget)
      }}
    >
      <Field label={label}>
        {(control) =>
          isMoment ? (
            <MomentInput control={control} value={typed} onChange={setTyped} />
          ) : (
            <input
              {...control}
              type="text"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )
        }
      </Field>
      <button type="submit" class="main">
        {text.administration.common.filter}
      </button>
    </form>
  )
}
