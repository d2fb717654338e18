/** Says which rows of a list are shown, with buttons for the first and the next page. */
import { text } from '../text/text.ts'
import type { List } from './list.ts'

export function Pager<T>({ list, label }: { list: List<T>; label: string }) {
  const { data, from, next, total, showPage } = list
  if (data === null || data.length === 0 || (next === null && from === 1)) return null
  return (
    <nav class="row pager" aria-label={label}>
      <span class="soft figures">{text.list.range(from, from + data.length - 1, total)}</span>
      <span class="end row">
        {from > 1 && (
          <button type="button" onClick={() => showPage(null)}>
            {text.action.first}
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => showPage(next)}>
            {text.action.next}
          </button>
        )}
      </span>
    </nav>
  )
}
