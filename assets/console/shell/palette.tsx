/** The way to anything by its name: Ctrl+K, or the button. */
import { CornerDownLeft, Search } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { useUniqueId } from '../component/unique-id.ts'
import { goTo } from '../router.ts'
import { text } from '../text/text.ts'
import { type Destination, destinationsOf, found } from './destinations.ts'

const listeners = new Set<() => void>()

export function openPalette(): void {
  for (const open of listeners) open()
}

export function PaletteKeys() {
  const [isOpen, setOpen] = useState(false)
  // As soon as the button is there.
  useLayoutEffect(() => {
    const open = () => setOpen(true)
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    listeners.add(open)
    addEventListener('keydown', press)
    return () => {
      listeners.delete(open)
      removeEventListener('keydown', press)
    }
  }, [])
  return isOpen ? <Palette onClose={() => setOpen(false)} /> : null
}

function Palette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useUniqueId()
  const [typed, setTyped] = useState('')
  const [position, setPosition] = useState(0)
  const options = found(destinationsOf(useApp()), typed)
  const chosen = options[Math.min(position, options.length - 1)]
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  useEffect(() => {
    if (chosen !== undefined)
      document.getElementById(`${id}-${chosen.href}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen, id])
  const open = (option: Destination | undefined, inNewTab: boolean) => {
    if (option === undefined) return
    onClose()
    if (inNewTab) window.open(option.href, '_blank', 'noopener')
    else goTo(option.href)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open(chosen, event.ctrlKey || event.metaKey)
    else {
      const moved = movedBy(event.key, position, options.length)
      if (moved === null) return
      setPosition(moved)
    }
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label={text.navigation.palette}
      onCancel={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={() => undefined}
    >
      <div class="palette-input">
        <Icon node={Search} />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls={`${id}-options`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.href}`}
          aria-label={text.navigation.paletteHint}
          placeholder={text.navigation.paletteHint}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value)
            setPosition(0)
          }}
          onKeyDown={press}
        />
        <kbd>{text.navigation.keyEscape}</kbd>
      </div>
      <div class="palette-options" id={`${id}-options`} role="listbox" aria-label={text.navigation.palette}>
        {grouped(options).map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox has groups with the role
          <div role="group" aria-label={group} key={group}>
            <p class="group" aria-hidden="true">
              {group}
            </p>
            {members.map((option) => (
              <div
                key={option.href}
                id={`${id}-${option.href}`}
                role="option"
                tabIndex={-1}
                aria-selected={option === chosen}
                onClick={(event) => open(option, event.ctrlKey || event.metaKey)}
                onKeyDown={press}
              >
                <Icon node={option.icon} />
                <Marked label={option.label} typed={typed} />
                {option.detail !== null && <span class="soft truncate">{option.detail}</span>}
              </div>
            ))}
          </div>
        ))}
        {options.length === 0 && <p class="empty">{text.navigation.nothingFound}</p>}
      </div>
      <p class="palette-keys note" aria-hidden="true">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {text.navigation.keyMove}
        </span>
        <span>
          <kbd>
            <Icon node={CornerDownLeft} />
          </kbd>{' '}
          {text.navigation.keyOpen}
        </span>
        <span>
          <kbd>{text.navigation.keyControl}</kbd>{' '}
          <kbd>
            <Icon node={CornerDownLeft} />
          </kbd>{' '}
          {text.navigation.keyNewTab}
        </span>
      </p>
    </dialog>
  )
}

function movedBy(key: string, position: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(position + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(position - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

function grouped(options: readonly Destination[]): [string, Destination[]][] {
  const groups = new Map<string, Destination[]>()
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option])
  return [...groups]
}

/** What was typed is underlined, so that colour alone says nothing. */
function Marked({ label, typed }: { label: string; typed: string }) {
  const words = typed.trim()
  const at = words === '' ? -1 : label.toLocaleLowerCase().indexOf(words.toLocaleLowerCase())
  if (at < 0) return <span class="truncate">{label}</span>
  return (
    <span class="truncate">
      {label.slice(0, at)}
      <mark>{label.slice(at, at + words.length)}</mark>
      {label.slice(at + words.length)}
    </span>
  )
}
