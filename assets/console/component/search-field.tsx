/** The search field of a list. It searches when the user has stopped typing for a moment. */
import { Search } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { singleKeyOf } from '../single-keys.ts'
import { Icon } from './icon.tsx'

interface SearchFieldProps {
  label: string
  words: string
  onSearch: (words: string) => void
}

const settleMs = 300

export function SearchField({ label, words, onSearch }: SearchFieldProps) {
  const [typed, setTyped] = useState(words)
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(words)
  useEffect(() => {
    // Going back in the history shows an earlier search. The reply to the own search must not undo later typing.
    if (words !== sent.current) setTyped(words)
    sent.current = words
  }, [words])
  const send = () => {
    if (typed.trim() === sent.current) return
    sent.current = typed.trim()
    onSearch(sent.current)
  }
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const timer = setTimeout(() => latest.current(), settleMs)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (singleKeyOf(event) !== '/') return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <search>
      <form
        class="search-field"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        <Icon node={Search} />
        <input
          ref={input}
          type="search"
          aria-label={label}
          aria-keyshortcuts="/"
          placeholder={label}
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </form>
    </search>
  )
}
