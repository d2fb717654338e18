/** The command palette, which opens anything by its name: by Ctrl+K, or by the button. */
import { Search, X } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useApp } from '../app-context.ts'
import { Icon } from '../component/icon.tsx'
import { movedOption } from '../component/option-keys.ts'
import { useUniqueId } from '../component/unique-id.ts'
import { capital, type EntityDescription } from '../describe.ts'
import { goTo } from '../router.ts'
import { language, text } from '../text/text.ts'
import { type Destination, destinationsOf, foundIn, matching, visited } from './destinations.ts'
import { useFoundRows } from './found-rows.ts'
import { onOpenPalette } from './open-palette.ts'
import { PaletteHints, PaletteOptions } from './palette-options.tsx'
import { visitsOf } from './visits.ts'

export function PaletteKeys() {
  const [isOpen, setOpen] = useState(false)
  // A layout effect adds the listeners before the user can press a key or click the button.
  useLayoutEffect(() => {
    const open = () => setOpen(true)
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    const forget = onOpenPalette(open)
    addEventListener('keydown', press)
    return () => {
      forget()
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
  const [scope, setScope] = useState<EntityDescription | null>(null)
  const { options, isSearching, tooSlow } = useOptions(typed, scope)
  const chosen = options[Math.min(position, options.length - 1)]
  // A layout effect opens the dialog before the next key is pressed, which is meant for the dialog.
  useLayoutEffect(() => {
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
  const lookOnlyIn = (entity: EntityDescription) => {
    setScope(entity)
    // If the typed text has found the list by its name, it is cleared, and not searched for in the list.
    if (capital(entity.labels).toLocaleLowerCase(language).includes(typed.trim().toLocaleLowerCase(language)))
      setTyped('')
    setPosition(0)
  }
  const press = (event: KeyboardEvent) => {
    const isFirst = typed === '' && scope !== null
    if (event.key === 'Enter') open(chosen, event.ctrlKey || event.metaKey)
    else if (event.key === 'Backspace' && isFirst) setScope(null)
    else if (event.key === 'Tab' && !event.shiftKey && scope === null && chosen?.entity != null)
      lookOnlyIn(chosen.entity)
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
        {scope !== null && (
          <button type="button" class="tag" aria-label={text.home.leaveScope} onClick={() => setScope(null)}>
            {capital(scope.labels)}
            <Icon node={X} />
          </button>
        )}
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
      <PaletteOptions id={id} options={options} chosen={chosen} typed={typed} open={open}>
        {options.length === 0 && (
          <p class="empty" role="status">
            {isSearching ? text.home.searching : text.navigation.nothingFound}
          </p>
        )}
        {tooSlow !== '' && <p class="note">{text.home.tooSlow(tooSlow)}</p>}
      </PaletteOptions>
      <PaletteHints scope={scope === null ? (chosen?.entity ?? null) : null} />
    </dialog>
  )
}

/**
 * @returns the entries; without typed text, the last visits. Rows come after pages, because their search takes
 *   longer.
 */
function useOptions(typed: string, scope: EntityDescription | null) {
  const app = useApp()
  const rows = useFoundRows(typed, scope?.name ?? null)
  const visits = visitsOf(app.user.id)
  const last = visited(visits, app)
  const places = destinationsOf(app)
  const isEmpty = typed.trim() === ''
  const others = places.filter(({ href }) => !last.some((each) => each.href === href))
  const shown = isEmpty ? [...last, ...matching(others, '')] : matching(places, typed, visits)
  const labels = app.entities.filter(({ name }) => rows.leftOut.includes(name)).map((each) => each.labels)
  return {
    options: [...(scope === null ? shown : []), ...foundIn(rows, app)],
    isSearching: rows.isSearching || (isEmpty && scope !== null),
    tooSlow: labels.join(', '),
  }
}

function movedBy(key: string, position: number, count: number): number | null {
  if (key === 'Home') return 0
  return key === 'End' ? Math.max(0, count - 1) : movedOption(key, position, count)
}
