/** A small window beside a control, above the page. It closes with Escape, and with a click anywhere else. */
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface PopoverProps {
  /** The control beside which it stands. */
  anchor: Element | null
  label: string
  onClose: () => void
  children: ComponentChildren
  class?: string
  /** Whether it is aligned to the end of the anchor. */
  isAtEnd?: boolean
  /** Whether it covers the anchor, and is at least as large. */
  isOver?: boolean
}

/** The distance from the anchor, and from the edges of the window, in pixels. */
const gap = 4
const margin = 8

export function Popover({
  anchor,
  label,
  onClose,
  children,
  class: name = '',
  isAtEnd = false,
  isOver = false,
}: PopoverProps) {
  const element = useRef<HTMLDivElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useLayoutEffect(() => {
    const shown = element.current
    if (shown === null || anchor === null) return
    const place = () => (isOver ? placeOver(shown, anchor) : placeBeside(shown, anchor, isAtEnd))
    const toggle = (event: Event) => {
      if ('newState' in event && event.newState === 'closed') close.current()
    }
    shown.showPopover()
    place()
    shown.addEventListener('toggle', toggle)
    addEventListener('scroll', place, true)
    addEventListener('resize', place)
    return () => {
      shown.removeEventListener('toggle', toggle)
      removeEventListener('scroll', place, true)
      removeEventListener('resize', place)
      if (shown.matches(':popover-open')) shown.hidePopover()
    }
  }, [anchor, isAtEnd, isOver])
  return (
    <div ref={element} popover="auto" role="dialog" aria-label={label} class={`popover ${name}`}>
      {children}
    </div>
  )
}

/** Places the window below the anchor, or above it if there is more room, and never out of sight. */
export function placeBeside(shown: HTMLElement, anchor: Element, isAtEnd = false): void {
  const around = anchor.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = shown
  const isAbove =
    around.bottom + gap + offsetHeight > innerHeight - margin && around.top > innerHeight - around.bottom
  const top = isAbove ? around.top - gap - offsetHeight : around.bottom + gap
  const left = isAtEnd ? around.right - offsetWidth : around.left
  shown.style.top = `${Math.max(margin, top)}px`
  shown.style.left = `${Math.max(margin, Math.min(left, innerWidth - margin - offsetWidth))}px`
}

function placeOver(shown: HTMLElement, anchor: Element): void {
  const { top, left, width, height } = anchor.getBoundingClientRect()
  shown.style.minWidth = `${width}px`
  shown.style.minHeight = `${height}px`
  shown.style.top = `${Math.min(top, innerHeight - margin - shown.offsetHeight)}px`
  shown.style.left = `${Math.max(margin, Math.min(left, innerWidth - margin - shown.offsetWidth))}px`
}
