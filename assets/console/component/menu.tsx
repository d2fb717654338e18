/** A menu behind a button. It closes with Escape, and with a click anywhere else. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface MenuProps {
  label: ComponentChildren
  children: ComponentChildren
  /** Whether it closes when an item is chosen. */
  closes?: boolean
  /** Whether its content is rendered only while it is open. */
  isLazy?: boolean
}

export function Menu({ label, children, closes = false, isLazy = false }: MenuProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const close = (event: Event) => {
      const menu = element.current
      if (menu === null || !menu.open) return
      if (event instanceof KeyboardEvent && event.key !== 'Escape') return
      if (event.type === 'pointerdown' && event.target instanceof Node && menu.contains(event.target)) return
      menu.open = false
    }
    const choose = ({ target }: Event) => {
      const menu = element.current
      if (menu !== null && target instanceof Element && target.closest('.menu-items') !== null)
        menu.open = false
    }
    const own = element.current
    if (closes) own?.addEventListener('click', choose)
    addEventListener('pointerdown', close)
    addEventListener('keydown', close)
    return () => {
      own?.removeEventListener('click', choose)
      removeEventListener('pointerdown', close)
      removeEventListener('keydown', close)
    }
  }, [])
  return (
    <details class="menu" ref={element} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="button">{label}</summary>
      <div class="menu-items">{(isOpen || !isLazy) && children}</div>
    </details>
  )
}
