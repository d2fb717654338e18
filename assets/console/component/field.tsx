/** A control with its label, its hint and what is wrong with it, connected for screen readers. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import { useUniqueId } from './unique-id.ts'

export interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  /** Where no label is seen. */
  'aria-label'?: string
}

interface FieldProps {
  label: string
  hint?: string | null
  fault?: string | null
  isRequired?: boolean
  children: (control: ControlProps) => ComponentChildren
}

export function Field({ label, hint = null, fault = null, isRequired, children }: FieldProps) {
  const id = useUniqueId()
  const described = [...(hint === null ? [] : [`${id}-hint`]), ...(fault === null ? [] : [`${id}-fault`])]
  const control: ControlProps = {
    id,
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...(fault !== null && { 'aria-invalid': true }),
  }
  return (
    <div class="field">
      <label for={id}>
        {label} {isRequired === true && <span class="soft">({text.form.required})</span>}
      </label>
      {children(control)}
      {hint !== null && (
        <span class="hint" id={`${id}-hint`}>
          <Prose words={hint} />
        </span>
      )}
      {fault !== null && (
        <span class="fault" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  )
}

/** Descriptions mark code with backticks, as in Markdown. */
export function Prose({ words }: { words: string }) {
  return (
    <>{words.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  )
}
