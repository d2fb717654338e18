/** Underlines the searched word in a text. A long text begins near that word. */
import { matchIn } from './search-match.ts'

const before = 24
/** Longer texts are cut, because a cell has no room for them. */
const maxLetters = 300

export function Marked({ words, search }: { words: string; search: string }) {
  const found = matchIn(words, search)
  if (found === null) return <>{words.slice(0, maxLetters)}</>
  const { start, end } = found
  const first = start > before * 2 ? start - before : 0
  return (
    <>
      {first > 0 && '…'}
      {words.slice(first, start)}
      <mark>{words.slice(start, end)}</mark>
      {words.slice(end, first + maxLetters)}
    </>
  )
}
