/** JSON as text, with the place of what is wrong in it. */
import { useState } from 'preact/hooks'
import { parseKeepingNumbers } from '../../../src/core/schema/exact-number.ts'
import type { ControlProps } from '../component/field.tsx'
import { text } from '../text/text.ts'

interface JsonInputProps {
  control: ControlProps
  value: unknown
  onChange: (value: unknown) => void
}

/** What is no JSON stays text, and the service refuses it, as it does numbers that JavaScript would change. */
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
          <button type="button" class="plain small" onClick={format}>
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

/** @returns `null` for JSON, and for nothing */
export function placeOfFault(words: string): { line: number; column: number } | null {
  if (words.trim() === '') return null
  try {
    JSON.parse(words)
    return null
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const [, position] = /position (\d+)/.exec(message) ?? []
    const [, row, place] = /line (\d+),? column (\d+)/.exec(message) ?? []
    if (position === undefined && row !== undefined) return { line: Number(row), column: Number(place) }
    const before = words.slice(0, position === undefined ? words.length : Number(position)).split('\n')
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
  }
}
