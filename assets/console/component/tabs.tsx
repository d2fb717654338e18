/** Tabs, of which one is shown (the pattern `tabs` of ARIA). The arrow keys move between them. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { useUniqueId } from './unique-id.ts'

export interface Tab {
  name: string
  label: string
  /** The number of items in the tab, if it is known. */
  count?: number | string | null
  show: () => ComponentChildren
}

interface TabsProps {
  label: string
  tabs: readonly Tab[]
  /** The name of the shown tab; the first tab is shown if there is none of this name. */
  current: string | null
  onChange: (name: string) => void
}

export function Tabs({ label, tabs, current, onChange }: TabsProps) {
  const id = useUniqueId()
  const list = useRef<HTMLDivElement>(null)
  const shown = Math.max(
    0,
    tabs.findIndex(({ name }) => name === current),
  )
  const open = tabs[shown]
  const move = (event: KeyboardEvent) => {
    const next = nextTab(event.key, shown, tabs.length)
    if (next === null) return
    event.preventDefault()
    onChange(tabs[next]?.name ?? '')
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus()
  }
  if (open === undefined) return null
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ name, label: words, count = null }, index) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`${id}-${name}`}
            class="tab"
            aria-selected={index === shown}
            aria-controls={`${id}-panel`}
            tabIndex={index === shown ? 0 : -1}
            onClick={() => onChange(name)}
          >
            {words}
            {count !== null && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.name}`} class="tab-panel">
        {open.show()}
      </div>
    </>
  )
}

/** @returns `null` for a key that does not move */
export function nextTab(key: string, shown: number, count: number): number | null {
  switch (key) {
    case 'ArrowRight':
      return (shown + 1) % count
    case 'ArrowLeft':
      return (shown + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
