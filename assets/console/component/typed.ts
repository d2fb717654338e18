/** A control whose text means a value: what is typed stays as it is, while the value is the one that it means. */
import { useState } from 'preact/hooks'

interface Meaning<T> {
  value: T
  /** The text of a value that was not typed here. */
  show: (value: T) => string
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
    /** Shows the value as it is understood. */
    forget: () => setTyped(null),
  }
}
