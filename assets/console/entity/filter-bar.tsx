/** The search and the filters of a list. Each filter is a chip, which a click opens and a button removes. */
import { ListFilter as FilterIcon, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { Popover } from '../component/popover.tsx'
import { SearchField } from '../component/search-field.tsx'
import { type EntityDescription, labelOf, wordOf } from '../describe.ts'
import { singleKeyOf } from '../single-keys.ts'
import { text } from '../text/text.ts'
import { addressOf, type ListFilter, relativeDay, type UselessFilter } from './filter.ts'
import { FilterForm } from './filter-form.tsx'
import { Value } from './value.tsx'

interface FilterBarProps {
  entity: EntityDescription
  filters: readonly ListFilter[]
  /** Filters of the address that cannot be sent; each is crossed out, with the reason. */
  useless: readonly UselessFilter[]
  search: string
  onSearch: (words: string) => void
  /** @param replaced the filter that it replaces */
  onAdd: (filter: ListFilter, replaced: ListFilter | null) => void
  onRemove: (parameters: readonly string[]) => void
  /** Shown at the end of the bar. */
  children?: ComponentChildren
}

export function FilterBar(props: FilterBarProps) {
  const { entity, filters, useless, search, onSearch, onAdd, onRemove } = props
  const [edited, setEdited] = useState<ListFilter | 'new' | null>(null)
  const [anchor, setAnchor] = useState<Element | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (singleKeyOf(event) !== 'f' || event.defaultPrevented) return
      event.preventDefault()
      adder.current?.click()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const open = (event: Event, filter: ListFilter | 'new') => {
    setAnchor(event.currentTarget instanceof Element ? event.currentTarget : null)
    setEdited(filter)
  }
  return (
    <div class="filter-bar">
      {entity.isSearched && <SearchField label={text.action.search} words={search} onSearch={onSearch} />}
      {filters.map((filter) => (
        <span class="chip" key={addressOf(filter)}>
          <button type="button" class="chip-text" onClick={(event) => open(event, filter)}>
            {labelOf(filter.field)}{' '}
            <strong>
              {text.list.operators[filter.operator] ?? filter.operator}{' '}
              {filter.operator !== 'isNull' && <FilterValue filter={filter} />}
            </strong>
          </button>
          <button
            type="button"
            aria-label={`${text.action.remove}: ${labelOf(filter.field)}`}
            onClick={() => onRemove([addressOf(filter)])}
          >
            <Icon node={X} />
          </button>
        </span>
      ))}
      {useless.map(({ parameter, words, isGone }) => (
        <span class="chip" key={parameter} title={isGone ? text.table.gone : text.table.notValid}>
          <s>{words}</s>
          <span class="hidden">{isGone ? text.table.gone : text.table.notValid}</span>
          <button
            type="button"
            aria-label={`${text.action.remove}: ${parameter}`}
            onClick={() => onRemove([parameter])}
          >
            <Icon node={X} />
          </button>
        </span>
      ))}
      <button
        type="button"
        ref={adder}
        class="add-filter"
        aria-label={text.list.filter}
        onClick={(event) => open(event, 'new')}
      >
        <Icon node={FilterIcon} />
        {text.table.filter}
      </button>
      {filters.length + useless.length > 1 && (
        <button
          type="button"
          class="plain"
          onClick={() => onRemove([...filters.map(addressOf), ...useless.map(({ parameter }) => parameter)])}
        >
          {text.list.clear}
        </button>
      )}
      {props.children}
      {edited !== null && (
        <Popover anchor={anchor} label={text.list.filter} onClose={() => setEdited(null)}>
          <FilterForm
            entity={entity}
            initial={edited === 'new' ? null : edited}
            filters={filters}
            search={search}
            onAdd={(filter) => {
              setEdited(null)
              onAdd(filter, edited === 'new' ? null : edited)
            }}
            onClose={() => setEdited(null)}
          />
        </Popover>
      )}
    </div>
  )
}

function FilterValue({ filter: { field, operator, value } }: { filter: ListFilter }) {
  if (field.kind === 'enum')
    return (
      <>
        {value
          .split(',')
          .map((word) => wordOf(field, word))
          .join(', ')}
      </>
    )
  if (field.entity === 'user' && value === 'me') return <>{text.table.me}</>
  if (operator === 'in' || /^(today|now)/.test(value)) return <>{relativeWords(value)}</>
  return <Value field={field} value={field.kind === 'boolean' ? value === 'true' : value} />
}

/** @returns a relative day in words: `today-7` is seven days ago */
function relativeWords(value: string): string {
  const [word, days] = relativeDay(value)
  if (word === undefined) return value
  return text.table.daysFromNow(days)
}
