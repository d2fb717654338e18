/** A control with its label, its hint and what is wrong with it, connected for screen readers. */
import { Undo2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import { Icon } from './icon.tsx'
import { useUniqueId } from './unique-id.ts'

/** The label has the id of the control and `-label`. */
export interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  /** Where no label is seen. */
  'aria-label'?: string
  'aria-required'?: true
}

interface FieldProps {
  label: string
  hint?: string | null
  fault?: string | null
  isRequired?: boolean
  /** Whether the field is marked as optional, as it is where most others are required. */
  isOptional?: boolean
  /** What it was before it was changed here, and the way back. */
  change?: { was: ComponentChildren; undo: () => void } | null
  class?: string
  /** The JSON pointer of its value, by which its fault is found. */
  pointer?: string
  children: (control: ControlProps) => ComponentChildren
}

export function Field(props: FieldProps) {
  const { label, hint = null, fault = null, isRequired, isOptional, change = null, children } = props
  const id = useUniqueId()
  const described = [...(hint === null ? [] : [`${id}-hint`]), ...(fault === null ? [] : [`${id}-fault`])]
  const control: ControlProps = {
    id,
    ...(described.length > 0 && { 'aria-describedby': described.join(' ') }),
    ...(fault !== null && { 'aria-invalid': true }),
    ...(isRequired === true && { 'aria-required': true }),
  }
  const states = ['field', change !== null && 'is-changed', fault !== null && 'is-faulty', props.class]
  return (
    <div class={states.filter(Boolean).join(' ')} data-pointer={props.pointer}>
      <div class="field-head">
        <label for={id} id={`${id}-label`}>
          {label}{' '}
          {isOptional === true && isRequired !== true && <span class="optional">{text.form.optional}</span>}
        </label>
        {change !== null && (
          <span class="was">
            <span class="truncate">{change.was}</span>
            <button
              type="button"
              class="plain only-icon"
              aria-label={text.form.putBack(label)}
              onClick={change.undo}
            >
              <Icon node={Undo2} />
            </button>
          </span>
        )}
      </div>
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
