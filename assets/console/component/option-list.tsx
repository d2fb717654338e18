/**
 * A list of options to choose from by name. A long list has a field, and shows the options that match what is typed.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLoaded } from '../load.ts'
import { text } from '../text/text.ts'
import { ErrorNotice } from './notice.tsx'
import { movedOption } from './option-keys.ts'
import { useUniqueId } from './unique-id.ts'

/** An option. Typing one of its further names, such as a mail address, finds it as well. */
export type Option = readonly [value: string, label: string, note?: string, ...names: string[]]

/** Asks the service for the options: for all of them, or for those that match what is typed. */
export type Finder = ({ load: (signal: AbortSignal) => Promise<readonly Option[]> } | Search) & {
  /** The permission to see the options. A user without it types the value. */
  permission: string
  /** @returns the name of a value, to show a filter of the address */
  nameOf?: (value: string) => Promise<string | null>
  /** Whether something else may be typed too, such as a pattern. */
  isFree?: true
}

export interface Search {
  find: (typed: string, signal: AbortSignal) => Promise<readonly Option[]>
}

export type Source = readonly Option[] | Finder

interface OptionListProps {
  label: string
  source: Source
  onPick: (value: string, element: Element | null) => void
}

/** A list with more options has a field to type into. */
const maxWhole = 9
const maxShown = 100

export function OptionList({ label, source, onPick }: OptionListProps) {
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const element = useRef<HTMLDivElement>(null)
  const id = useUniqueId()
  useEffect(() => element.current?.querySelector<HTMLElement>('input, button')?.focus(), [])
  const { data, error } = useLoaded('find' in source ? typed : '', async (signal) => ({
    isOf: typed,
    found: await ask(source, typed, signal),
  }))
  const isLate = 'find' in source && data?.isOf !== typed
  const options = shownOf(source, data?.found ?? [], { typed: typed.trim(), isLate })
  const pick = (value: string) => {
    setTyped('')
    setActive(0)
    onPick(value, element.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const moved = movedOption(event.key, active, options.length)
    if (moved !== null) setActive(moved)
    else if (event.key !== 'Enter') return
    else if (options[active] !== undefined) pick(options[active][0])
    event.preventDefault()
  }
  const isTyped = !isLoadedAtOnce(source) || source.length > maxWhole
  return (
    <div class="option-list" ref={element}>
      {isTyped && (
        <input
          role="combobox"
          aria-label={label}
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={options.length > 0 ? `${id}-${active}` : undefined}
          autocomplete="off"
          placeholder={text.form.pick}
          value={typed}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      )}
      {error !== null && <ErrorNotice error={error} />}
      <div id={id} class="option-rows" {...{ role: isTyped ? 'listbox' : 'group', 'aria-label': label }}>
        {options.map(([value, name, note], index) => (
          <button
            type="button"
            key={value}
            id={`${id}-${index}`}
            {...(isTyped && { role: 'option', tabIndex: -1, 'aria-selected': index === active })}
            onClick={() => pick(value)}
          >
            <span>{name}</span>
            {note !== undefined && <span class="note">{note}</span>}
          </button>
        ))}
      </div>
      {data !== null && !isLate && options.length === 0 && <p class="soft">{text.form.noMatch}</p>}
    </div>
  )
}

function isLoadedAtOnce(source: Source): source is readonly Option[] {
  return Array.isArray(source)
}

async function ask(source: Source, typed: string, signal: AbortSignal): Promise<readonly Option[]> {
  if (isLoadedAtOnce(source)) return source
  return 'find' in source ? source.find(typed.trim(), signal) : source.load(signal)
}

/** @returns the options to show; the typed text itself comes first if it need not be one of the options */
function shownOf(
  source: Source,
  found: readonly Option[],
  { typed, isLate }: { typed: string; isLate: boolean },
): readonly Option[] {
  // While a search is on its way, the earlier results are filtered, so that nobody picks one that no longer matches.
  const options = 'find' in source && !isLate ? found : matching(found, typed)
  const isOwn =
    !isLoadedAtOnce(source) &&
    source.isFree === true &&
    typed !== '' &&
    !options.some(([value]) => value === typed)
  return [...(isOwn ? [[typed, typed] as const] : []), ...options].slice(0, maxShown)
}

/** @returns the options in which every typed word occurs */
export function matching(options: readonly Option[], typed: string): readonly Option[] {
  const words = typed.toLowerCase().split(/\s+/)
  return options.filter((option) => {
    const names = option.join(' ').toLowerCase()
    return words.every((word) => names.includes(word))
  })
}
