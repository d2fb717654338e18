/** A form control with its label, its hint and its fault, which are connected for screen readers. */
import { Undo2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import { Icon } from './icon.tsx'
import { useUniqueId } from './unique-id.ts'

/** The attributes that connect a control with its field. The id of the label is that of the control and `-label`. */
export interface ControlProps {
  id: string
  'aria-describedby'?: string
  'aria-invalid'?: true
  /** The name for screen readers, if there is no visible label. */
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
  /** The value before it was changed in this form, and a function that restores it. */
  change?: { was: ComponentChildren; undo: () => void } | null
  class?: string
  /** The JSON pointer of its value, by which a fault of the service finds the field. */
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

/** Shows a text in which backticks mark code, as in Markdown. */
export function Prose({ words }: { words: string }) {
  return (
    <>{words.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>
  )
}
