/** The state of a control whose text stands for a value, such as a day. The text stays as it was typed. */
import { useState } from 'preact/hooks'

interface Meaning<T> {
  value: T
  /** @returns the text of a value that was not typed here */
  show: (value: T) => string
  /** @returns the value of a typed text */
  read: (words: string) => T
  onChange: (value: T) => void
}

export function useTyped<T>({ value, show, read, onChange }: Meaning<T>) {
  const [typed, setTyped] = useState<{ words: string; value: T } | null>(null)
  return {
    value: typed !== null && typed.value === value ? typed.words : show(value),
    onInput: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const words = currentTarget.value
      const next = read(words)
      setTyped({ words, value: next })
      onChange(next)
    },
    /** Replaces the typed text by that of the value, to show how it was understood. */
    forget: () => setTyped(null),
  }
}
