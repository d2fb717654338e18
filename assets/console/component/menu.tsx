/** Further actions behind one button: they close with Escape, and with a click anywhere else. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface MenuProps {
  label: ComponentChildren
  /** What is in it is there only while it is open. */
  isLazy?: boolean
  children: ComponentChildren
}

export function Menu({ label, isLazy = false, children }: MenuProps) {
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
    addEventListener('pointerdown', close)
    addEventListener('keydown', close)
    return () => {
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
