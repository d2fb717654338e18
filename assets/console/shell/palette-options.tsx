/** The entries of the command palette by group, and the hints for its keys. */
import { CornerDownLeft } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../component/icon.tsx'
import { capital, type EntityDescription } from '../describe.ts'
import { language, text } from '../text/text.ts'
import type { Destination } from './destinations.ts'

interface PaletteOptionsProps {
  /** The beginning of the options' ids. */
  id: string
  options: readonly Destination[]
  chosen: Destination | undefined
  typed: string
  open: (option: Destination, inNewTab: boolean) => void
  /** Shown below the options. */
  children: ComponentChildren
}

export function PaletteOptions({ id, options, chosen, typed, open, children }: PaletteOptionsProps) {
  return (
    <div class="palette-options">
      <div id={`${id}-options`} role="listbox" aria-label={text.navigation.palette}>
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
                onKeyDown={() => undefined}
              >
                <Icon node={option.icon} />
                <Marked label={option.label} typed={typed} />
                {option.detail !== null && <Marked label={option.detail} typed={typed} isSoft />}
              </div>
            ))}
          </div>
        ))}
      </div>
      {children}
    </div>
  )
}

/** @param scope the entity to which the Tab key limits the search */
export function PaletteHints({ scope }: { scope: EntityDescription | null }) {
  return (
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
      {scope !== null && (
        <span>
          <kbd>{text.navigation.keyTab}</kbd> {text.home.onlyIn(capital(scope.labels))}
        </span>
      )}
    </p>
  )
}

function grouped(options: readonly Destination[]): [string, Destination[]][] {
  const groups = new Map<string, Destination[]>()
  for (const option of options) groups.set(option.group, [...(groups.get(option.group) ?? []), option])
  return [...groups]
}

/** Underlines the typed text in a label. Underlining is used because colour alone would not be enough. */
function Marked({ label, typed, isSoft = false }: { label: string; typed: string; isSoft?: boolean }) {
  const words = typed.trim()
  const index =
    words === '' ? -1 : label.toLocaleLowerCase(language).indexOf(words.toLocaleLowerCase(language))
  const style = isSoft ? 'soft truncate' : 'truncate'
  if (index < 0) return <span class={style}>{label}</span>
  return (
    <span class={style}>
      {label.slice(0, index)}
      <mark>{label.slice(index, index + words.length)}</mark>
      {label.slice(index + words.length)}
    </span>
  )
}
