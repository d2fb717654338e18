/** A field that chooses one of many rows by its name: it searches for what is typed. */
import { ChevronDown, Plus, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import type { ControlProps } from './field.tsx'
import { Icon } from './icon.tsx'
import { movedOption } from './option-keys.ts'
import { matching, type Option, type Search } from './option-list.tsx'
import { optionNamed } from './option-named.ts'
import { Tile } from './tile.tsx'

export interface PickerSource extends Search {
  /** The name of the list of options, for screen readers. */
  label: string
  /** @returns the name of a row; `null` if it does not exist any more */
  nameOf: (id: string) => Promise<string | null>
  /** Whether the signs of options are round, as those of people are. */
  isRound?: boolean
  /** Options that are offered before the found ones. */
  fixed?: readonly Option[]
  /** Creates a row whose name is the typed text. @returns `null` if it was not created */
  create?: { label: string; ask: (typed: string) => Promise<Option | null> }
}

interface PickerProps {
  source: PickerSource
  control: ControlProps
  value: unknown
  onChange: (id: string | null) => void
}

export function Picker({ source, control, value, onChange }: PickerProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const { shown, choose, look, forget } = useChoice(source, value, onChange)
  const { options, isNone } = useOptions(source, typed)
  const isClosed = typed === null
  const pick = async (option: Option) => {
    forget()
    setTyped(null)
    setActive(0)
    const { create } = source
    const chosen = option[0] === '' && create ? await create.ask(typed ?? '') : option
    if (chosen !== null) choose(chosen)
  }
  const leave = () => {
    setTyped(null)
    void look(typed ?? '')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const option = options[active]
    const moved = movedOption(event.key, active, options.length)
    if (moved !== null) setActive(moved)
    else if (event.key === 'Enter' && option !== undefined) void pick(option)
    else if (event.key === 'Escape' && typed !== null && typed !== '') setTyped('')
    else return
    event.preventDefault()
  }
  const listId = `${control.id}-options`
  const hasTile = isClosed && shown !== ''
  return (
    <div class={hasTile ? 'picker has-tile' : 'picker'}>
      {hasTile && <Tile name={shown} size="small" isRound={source.isRound} />}
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
        onBlur={leave}
        onInput={(event) => {
          setTyped(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      {typeof value === 'string' && isClosed && (
        <button
          type="button"
          class="plain"
          aria-label={text.form.clear}
          onClick={() => {
            forget()
            onChange(null)
          }}
        >
          <Icon node={X} />
        </button>
      )}
      <Icon node={ChevronDown} />
      <Options
        id={listId}
        source={source}
        options={options}
        active={active}
        pick={(each) => void pick(each)}
      />
      {isNone && (
        <p class="no-match" role="status">
          {text.form.noMatch}
        </p>
      )}
    </div>
  )
}

/** The chosen option. `look` chooses the option whose whole name was typed, unless another is chosen meanwhile. */
function useChoice(source: PickerSource, value: unknown, onChange: PickerProps['onChange']) {
  const [picked, setPicked] = useState<Option | null>(null)
  const shown = useName(source, value, picked)
  const choose = (option: Option) => {
    setPicked(option)
    onChange(option[0])
  }
  const search = useRef<AbortController | null>(null)
  const forget = () => search.current?.abort()
  const look = async (typed: string) => {
    const name = typed.trim().toLowerCase()
    if (name === '') return
    forget()
    search.current = new AbortController()
    const { signal } = search.current
    const found = await source.find(name, signal).catch(() => [])
    const option = optionNamed(found, name)
    if (option !== null && !signal.aborted) choose(option)
  }
  return { shown, choose, look, forget }
}

/** @returns the name of the chosen row, or its id if it has no name; empty if nothing is chosen */
function useName(source: PickerSource, value: unknown, picked: Option | null): string {
  const id = typeof value === 'string' ? value : null
  const known = [picked, ...(source.fixed ?? [])].find((option) => option?.[0] === id)?.[1]
  const { data, isLoading } = useLoaded(`${known} ${id}`, () =>
    id === null || known !== undefined ? Promise.resolve(null) : source.nameOf(id),
  )
  return known ?? data ?? (isLoading ? '' : (id ?? ''))
}

/** @returns the fixed options, the found ones, and at last the one that creates a row, whose value is '' */
function useOptions(source: PickerSource, typed: string | null) {
  const { data } = useLoaded(`${typed}`, async (signal) =>
    typed === null ? null : { isOf: typed, found: await source.find(typed.trim(), signal) },
  )
  if (typed === null || data === null) return { options: [], isNone: false }
  const { fixed = [], create } = source
  const isLate = data.isOf !== typed
  const options = [
    ...(typed === '' ? fixed : []),
    // While a search is on its way, the earlier results are filtered, so that nobody picks one that no longer matches.
    ...(isLate ? matching(data.found, typed) : data.found),
    ...(create === undefined ? [] : [['', create.label, typed] as const]),
  ]
  return { options, isNone: options.length === 0 && !isLate }
}

interface OptionsProps {
  id: string
  source: PickerSource
  options: readonly Option[]
  active: number
  pick: (option: Option) => void
}

function Options({ id, source: { label, isRound }, options, active, pick }: OptionsProps) {
  return (
    <div id={id} role="listbox" aria-label={label} class="options" hidden={options.length === 0}>
      {options.map((option, index) => (
        <button
          type="button"
          role="option"
          tabIndex={-1}
          key={option[0]}
          id={`${id}-${index}`}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(option)}
        >
          {option[0] === '' ? <Icon node={Plus} /> : <Tile name={option[1]} size="small" isRound={isRound} />}
          <span class="names">
            <span class="truncate">{option[1]}</span>
            <span class="note truncate">{option[2]}</span>
          </span>
        </button>
      ))}
    </div>
  )
}
