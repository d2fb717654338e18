/** Why a form was not saved, above it, with a way to each field that has to be corrected. */
import { CircleAlert } from 'lucide'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Fault } from '../api.ts'
import { text } from '../text/text.ts'
import { Icon } from './icon.tsx'
import { ErrorNotice } from './notice.tsx'

interface FaultSummaryProps {
  error: unknown
  faults: readonly Fault[]
  /** What people call the member. */
  labelOf: (pointer: string) => string | null
  form: RefObject<HTMLElement | null>
}

export function FaultSummary({ error, faults, labelOf, form }: FaultSummaryProps) {
  useEffect(() => {
    if (faults.length > 0) focusFault(form.current, 0)
  }, [error])
  if (error === null) return null
  const labels = [...new Set(faults.flatMap(({ pointer }) => labelOf(pointer) ?? []))]
  const others = faults.filter(({ pointer }) => labelOf(pointer) === null)
  if (labels.length === 0) return <ErrorNotice error={error} />
  return (
    <div class="notice bad fault-summary" role="alert">
      <Icon node={CircleAlert} />
      <strong>{text.form.notSaved}</strong> {text.form.toCorrect(labels.length)}
      {labels.map((label, index) => (
        <button type="button" class="link" key={label} onClick={() => focusFault(form.current, index)}>
          {label}
        </button>
      ))}
      {others.map(({ pointer, reason }) => (
        <span key={pointer}>{reason}</span>
      ))}
    </div>
  )
}

/** In the order of the page. */
function focusFault(form: HTMLElement | null, index: number): void {
  const faulty = form?.querySelectorAll<HTMLElement>('.is-faulty')[index]
  const control =
    faulty?.querySelector<HTMLElement>('input, select, textarea') ?? faulty?.querySelector('button')
  control?.focus({ preventScroll: true })
  control?.scrollIntoView({ block: 'center' })
}
