/** Says above a form why it was not saved, with a button that leads to each field that has to be corrected. */
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
  /** @returns the label of the member at a JSON pointer; `null` if the form does not have it */
  labelOf: (pointer: string) => string | null
  form: RefObject<HTMLElement | null>
}

export function FaultSummary({ error, faults, labelOf, form }: FaultSummaryProps) {
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('.is-faulty')
    if (faults[0] !== undefined) focusControl(first ?? elementAt(form.current, faults[0].pointer))
  }, [error])
  if (error === null) return null
  const labels = new Map<string, string>()
  for (const { pointer } of faults) {
    const label = labelOf(pointer)
    if (label !== null && !labels.has(label)) labels.set(label, pointer)
  }
  const others = faults.filter(({ pointer }) => labelOf(pointer) === null)
  if (labels.size === 0) return <ErrorNotice error={error} />
  return (
    <div class="notice bad fault-summary" role="alert">
      <Icon node={CircleAlert} />
      <strong>{text.form.notSaved}</strong> {text.form.toCorrect(labels.size)}
      {[...labels].map(([label, pointer]) => (
        <button
          type="button"
          class="link"
          key={label}
          onClick={() => focusControl(elementAt(form.current, pointer))}
        >
          {label}
        </button>
      ))}
      {others.map(({ pointer, reason }) => (
        <span key={pointer}>{reason}</span>
      ))}
    </div>
  )
}

/** @returns the field at the pointer, or the nearest one around it, because one control may serve a whole object */
function elementAt(form: HTMLElement | null, pointer: string): HTMLElement | null {
  if (form === null || pointer === '') return null
  const found = form.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(pointer)}"]`)
  return found ?? elementAt(form, pointer.slice(0, pointer.lastIndexOf('/')))
}

function focusControl(field: HTMLElement | null): void {
  const control =
    field?.querySelector<HTMLElement>('input, select, textarea') ?? field?.querySelector('button')
  control?.focus({ preventScroll: true })
  control?.scrollIntoView({ block: 'center' })
}
