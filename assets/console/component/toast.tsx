/** Toasts: short messages at the lower left about what was done, with a button to undo it. Errors stay until closed. */
import { Check, CircleAlert, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../text/text.ts'
import { Icon } from './icon.tsx'
import { messageOf } from './notice.tsx'

interface ToastOptions {
  /** Undoes what was done. An error that it throws is shown. */
  undo?: () => unknown
  isError?: boolean
}

interface Toast extends ToastOptions {
  id: number
  text: string
}

const maxToasts = 3
const maxUndos = 20
/** How long a toast is shown. */
const shownMs = 8000

let shown: readonly Toast[] = []
/** The toasts whose changes can be undone, also after they are not shown any more. */
let undos: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

export function toast(words: string, options: ToastOptions = {}): void {
  lastId += 1
  const next = { ...options, text: words, id: lastId }
  if (next.undo !== undefined) undos = [...undos, next].slice(-maxUndos)
  show([...shown, next].slice(-maxToasts))
}

/** Shows why something was not done. */
export function toastError(error: unknown): void {
  toast(messageOf(error), { isError: true })
}

function show(next: readonly Toast[]): void {
  shown = next
  for (const notify of listeners) notify()
}

function close(id: number): void {
  show(shown.filter((each) => each.id !== id))
}

async function takeBack({ id, undo }: Toast): Promise<void> {
  undos = undos.filter((each) => each.id !== id)
  close(id)
  try {
    await undo?.()
  } catch (error) {
    toastError(error)
  }
}

/** The place of the toasts. It exists before the first toast, because screen readers would not read that one out. */
export function Toasts() {
  const [toasts, setToasts] = useState(shown)
  useEffect(() => {
    const update = () => setToasts(shown)
    listeners.add(update)
    addEventListener('keydown', onKeyDown)
    return () => {
      listeners.delete(update)
      removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return (
    <div class="toasts" role="status">
      {toasts.map((each) => (
        <ToastCard key={each.id} toast={each} />
      ))}
    </div>
  )
}

/** Undoes the last change by Ctrl+Z, except in a control, where the browser undoes typing. */
function onKeyDown(event: KeyboardEvent): void {
  const last = undos.at(-1)
  const isTyped = event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
  if (last === undefined || isTyped || event.shiftKey || event.key !== 'z') return
  if (!event.ctrlKey && !event.metaKey) return
  event.preventDefault()
  void takeBack(last)
}

function ToastCard({ toast: each }: { toast: Toast }) {
  const { id, undo, isError = false } = each
  const [isKept, setKept] = useState(false)
  useEffect(() => {
    if (isKept || isError) return
    const timer = setTimeout(() => close(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, isKept, isError])
  return (
    <div
      class={isError ? 'toast bad' : 'toast'}
      onPointerEnter={() => setKept(true)}
      onPointerLeave={() => setKept(false)}
      onFocusCapture={() => setKept(true)}
      onBlurCapture={() => setKept(false)}
    >
      <Icon node={isError ? CircleAlert : Check} />
      <span class="wrap">{each.text}</span>
      {undo !== undefined && (
        <button type="button" class="plain" onClick={() => void takeBack(each)}>
          {text.action.undo}
        </button>
      )}
      <button type="button" class="plain only-icon" aria-label={text.action.close} onClick={() => close(id)}>
        <Icon node={X} />
      </button>
    </div>
  )
}
