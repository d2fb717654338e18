/** What was done, at the lower left, with its undo. */
import { Check, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../text/text.ts'
import { Icon } from './icon.tsx'

export interface ToastOptions {
  undo?: () => void
}

interface ShownToast extends ToastOptions {
  id: number
  text: string
}

const maxToasts = 3
const shownMs = 8000

let shown: readonly ShownToast[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function toast(message: string, options: ToastOptions = {}): void {
  lastId += 1
  set([...shown, { ...options, text: message, id: lastId }].slice(-maxToasts))
}

function set(next: readonly ShownToast[]): void {
  shown = next
  for (const listener of listeners) listener()
}

function close(id: number): void {
  set(shown.filter((each) => each.id !== id))
}

function undo({ id, undo: act }: ShownToast): void {
  close(id)
  act?.()
}

export function Toasts() {
  const [toasts, setToasts] = useState(shown)
  useEffect(() => {
    const update = () => setToasts(shown)
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null
      const last = shown.findLast((each) => each.undo !== undefined)
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || isTyping || last === undefined) return
      event.preventDefault()
      undo(last)
    }
    listeners.add(update)
    addEventListener('keydown', press)
    return () => {
      listeners.delete(update)
      removeEventListener('keydown', press)
    }
  }, [])
  return (
    <div class="toasts" role="status">
      {toasts.map((each) => (
        <ToastCard key={each.id} shown={each} />
      ))}
    </div>
  )
}

function ToastCard({ shown: each }: { shown: ShownToast }) {
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    if (isKept) return
    const timer = setTimeout(() => close(each.id), shownMs)
    return () => clearTimeout(timer)
  }, [each.id, isKept])
  return (
    <div
      class="toast"
      onPointerEnter={() => setKept(true)}
      onPointerLeave={() => setKept(false)}
      onFocusCapture={() => setKept(true)}
      onBlurCapture={() => setKept(false)}
    >
      <Icon node={Check} />
      <span class="wrap">{each.text}</span>
      {each.undo !== undefined && (
        <button type="button" class="link" onClick={() => undo(each)}>
          {text.table.undo}
        </button>
      )}
      {each.undo !== undefined && <kbd>{`${text.navigation.keyControl} Z`}</kbd>}
      <button
        type="button"
        class="plain only-icon"
        aria-label={text.action.close}
        onClick={() => close(each.id)}
      >
        <Icon node={X} />
      </button>
    </div>
  )
}
