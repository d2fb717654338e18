/** Chooses a row of another entity by searching for it. */
import { ChevronDown, X } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import type { ControlProps } from '../component/field.tsx'
import { Icon } from '../component/icon.tsx'
import { Tile } from '../component/tile.tsx'
import { type EntityDescription, type FieldDescription, type Row, titleOf } from '../describe.ts'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import { loadPage, loadRow } from './rows.ts'

interface PickerProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  onChange: (id: string | null) => void
}

export function ReferencePicker({ field, control, value, onChange }: PickerProps) {
  const { entities } = useApp()
  const entity = entities.find(({ name }) => name === field.entity)
  if (entity === undefined)
    return (
      <input
        {...control}
        value={typeof value === 'string' ? value : ''}
        onInput={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
      />
    )
  return (
    <Picker
      entity={entity}
      control={control}
      value={typeof value === 'string' ? value : null}
      onChange={onChange}
    />
  )
}

interface SearchProps {
  entity: EntityDescription
  control: ControlProps
  value: string | null
  onChange: (id: string | null) => void
}

function Picker({ entity, control, value, onChange }: SearchProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const [picked, setPicked] = useState<Row | null>(null)
  const isKnown = value === null || value === picked?.id
  const chosen = useLoaded(`${entity.name}/${isKnown ? '' : value}`, () =>
    isKnown ? Promise.resolve(null) : loadRow(entity, value),
  )
  const found = useLoaded(`${entity.name}?${typed}`, (signal) =>
    typed === null
      ? Promise.resolve(null)
      : loadPage(entity, { limit: '8', ...searchFor(entity, typed) }, signal),
  )
  const options = typed === null ? [] : (found.data?.rows ?? [])
  const pick = (row: Row) => {
    setPicked(row)
    onChange(row.id)
    setTyped(null)
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = options[active]
    if (event.key === 'ArrowDown') setActive(Math.min(active + 1, options.length - 1))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
    else if (event.key === 'Enter' && row !== undefined) pick(row)
    else if (event.key === 'Escape' && typed !== null && typed !== '') setTyped('')
    else return
    event.preventDefault()
  }
  const listId = `${control.id}-options`
  const known = [picked, chosen.data].find((each) => each?.id === value)
  const shown = known === undefined || known === null ? '' : titleOf(entity, known)
  const isClosed = typed === null
  return (
    <div class={isClosed && shown !== '' ? 'picker has-tile' : 'picker'}>
      {isClosed && shown !== '' && <Tile name={shown} size="small" />}
      <input
        {...control}
        role="combobox"
        autocomplete="off"
        placeholder={shown === '' ? text.form.pick : shown}
        aria-expanded={!isClosed}
        aria-controls={listId}
        aria-activedescendant={options.length > 0 ? `${listId}-${active}` : undefined}
        value={typed ?? shown}
        onFocus={() => setTyped(typed ?? '')}
        onBlur={() => setTimeout(() => setTyped(null), 150)}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {value !== null && isClosed && (
        <button type="button" class="plain" aria-label={text.form.clear} onClick={() => onChange(null)}>
          <Icon node={X} />
        </button>
      )}
      <Icon node={ChevronDown} />
      <Options id={listId} entity={entity} rows={options} isOpen={!isClosed} active={active} pick={pick} />
      {!isClosed && found.data !== null && !found.isLoading && options.length === 0 && (
        <p class="no-match" role="status">
          {text.form.noMatch}
        </p>
      )}
    </div>
  )
}

interface OptionsProps {
  id: string
  entity: EntityDescription
  rows: readonly Row[]
  isOpen: boolean
  active: number
  pick: (row: Row) => void
}

function Options({ id, entity, rows, isOpen, active, pick }: OptionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={entity.labels}
      class="options"
      hidden={!isOpen || rows.length === 0}
    >
      {rows.map((row, index) => (
        <button
          type="button"
          role="option"
          tabIndex={-1}
          key={row.id}
          id={`${id}-${index}`}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(row)}
        >
          <Tile name={titleOf(entity, row)} size="small" />
          <span class="truncate">{titleOf(entity, row)}</span>
        </button>
      ))}
    </div>
  )
}

function searchFor(entity: EntityDescription, typed: string): Record<string, string> {
  const words = typed.trim()
  if (words === '') return {}
  if (entity.isSearched) return { search: words }
  const title = entity.fields.find(({ name }) => name === entity.title)
  if (title?.kind === 'text') return { [`${title.name}[icontains]`]: words }
  return /^\d+$/.test(words) && title !== undefined ? { [title.name]: words } : {}
}
