/** Secrets that the service shows only once, and a button that copies a text. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { text } from '../text/text.ts'

export function CopyButton({ value, label = text.action.copy }: { value: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }
  return (
    <button type="button" onClick={() => void copy()} onBlur={() => setCopied(false)}>
      {isCopied ? text.action.copied : label}
    </button>
  )
}

export function Secret({ value }: { value: string }) {
  return (
    <div class="row">
      <code>{value}</code>
      <CopyButton value={value} />
    </div>
  )
}

interface ShownOnceProps {
  title?: string
  hint: string
  value: string
  children?: ComponentChildren
}

/** A secret that the service does not show again. */
export function ShownOnce({ title, hint, value, children }: ShownOnceProps) {
  return (
    <div class="notice warn stack" role="status">
      {title !== undefined && <strong>{title}</strong>}
      <p>{hint}</p>
      <Secret value={value} />
      {children}
    </div>
  )
}
