/** The input for JSON as text, which shows the place of an error. */
import { useState } from 'preact/hooks'
import { parseKeepingNumbers } from '../../../src/core/schema/exact-number.ts'
import type { ControlProps } from '../component/field.tsx'
import { text } from '../text/text.ts'
import { placeOfFault } from './json-fault.ts'

interface JsonInputProps {
  control: ControlProps
  value: unknown
  onChange: (value: unknown) => void
}

/**
 * Text that is not valid JSON is sent as a text, which the service refuses. So are numbers that JavaScript would
 * change.
 */
export function JsonInput({ control, value, onChange }: JsonInputProps) {
  const [typed, setTyped] = useState<{ words: string; value: unknown } | null>(null)
  const shown = typed !== null && typed.value === value ? typed.words : wordsOf(value)
  const fault = placeOfFault(shown)
  const change = (words: string) => {
    const next = parsed(words)
    setTyped({ words, value: next })
    onChange(next)
  }
  const format = () => setTyped({ words: wordsOf(value), value })
  return (
    <>
      <textarea
        {...control}
        class="code"
        spellcheck={false}
        value={shown}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <span class="row">
        <span class={fault === null ? 'hint' : 'fault'} role="status">
          {fault === null ? '' : text.form.noJson(fault.line, fault.column)}
        </span>
        {fault === null && shown !== '' && (
          <button type="button" class="link" onClick={format}>
            {text.form.format}
          </button>
        )}
      </span>
    </>
  )
}

function wordsOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function parsed(words: string): unknown {
  try {
    return words.trim() === '' ? null : parseKeepingNumbers(words)
  } catch {
    return words
  }
}
