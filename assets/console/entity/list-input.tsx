/**
 * The input for a list of texts, one per line: Enter adds a line, Backspace removes an empty one, Alt+arrow moves
 * one.
 */
import { Plus, X } from 'lucide'
import { useRef } from 'preact/hooks'
import type { ControlProps } from '../component/field.tsx'
import { Icon } from '../component/icon.tsx'
import { type FieldDescription, labelOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { afterKey } from './list-keys.ts'

interface ListInputProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  onChange: (value: unknown) => void
}

export function isListOfTexts({ schema }: FieldDescription): boolean {
  const { type, items } = schema
  return [type].flat().includes('array') && items?.type === 'string' && items.enum === undefined
}

export function ListInput({ field, control, value, onChange }: ListInputProps) {
  const element = useRef<HTMLFieldSetElement>(null)
  const lines = Array.isArray(value) ? value.map(String) : []
  const focus = (index: number) =>
    setTimeout(() => element.current?.querySelectorAll<HTMLInputElement>('input')[index]?.focus())
  const set = (next: readonly string[], focused: number) => {
    onChange(next.length === 0 && field.isNullable ? null : next)
    focus(focused)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const next = afterKey(event, lines, index)
    if (next === null) return
    event.preventDefault()
    set(next.lines, next.focused)
  }
  const onPaste = (event: ClipboardEvent, index: number) => {
    const pasted = (event.clipboardData?.getData('text') ?? '').split(/\r?\n/).filter((line) => line !== '')
    if (pasted.length < 2) return
    event.preventDefault()
    const kept = lines[index] === '' ? [] : lines.slice(index, index + 1)
    set(
      [...lines.slice(0, index), ...kept, ...pasted, ...lines.slice(index + 1)],
      index + kept.length + pasted.length - 1,
    )
  }
  const { maxItems } = field.schema
  const { id, ...states } = control
  return (
    <fieldset class="list-input" id={id} aria-labelledby={`${id}-label`} ref={element}>
      {lines.map((line, index) => (
        <span key={index} class="list-line">
          <input
            {...states}
            aria-label={`${labelOf(field)} ${index + 1}`}
            value={line}
            onInput={({ currentTarget }) =>
              onChange(lines.map((each, at) => (at === index ? currentTarget.value : each)))
            }
            onKeyDown={(event) => onKeyDown(event, index)}
            onPaste={(event) => onPaste(event, index)}
          />
          <button
            type="button"
            class="plain only-icon"
            aria-label={text.form.removeLine(index + 1)}
            onClick={() =>
              set(
                lines.filter((_, at) => at !== index),
                Math.max(0, index - 1),
              )
            }
          >
            <Icon node={X} />
          </button>
        </span>
      ))}
      <span class="row">
        <button type="button" class="add" onClick={() => set([...lines, ''], lines.length)}>
          <Icon node={Plus} />
          {text.action.add}
        </button>
        {maxItems !== undefined && lines.length > 0 && (
          <span class="hint figures">{text.form.letters(lines.length, maxItems)}</span>
        )}
      </span>
    </fieldset>
  )
}
