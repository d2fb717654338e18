/** Further actions behind one button: they close with Escape, and with a click anywhere else. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export function Menu({ label, children }: { label: ComponentChildren; children: ComponentChildren }) {
  const element = useRef<HTMLDetailsElement>(null)
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
    <details class="menu" ref={element}>
      <summary class="button">{label}</summary>
      <div class="menu-items">{children}</div>
    </details>
  )
}
