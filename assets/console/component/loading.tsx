/** Shows that a page is loading. It has the usual height of a page, so that nothing jumps when the page arrives. */
import { text } from '../text/text.ts'

const lines = ['title', 'first', 'second', 'third', 'fourth', 'fifth']

export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="hidden">{text.state.loading}</span>
      {lines.map((line) => (
        <span key={line} aria-hidden="true" />
      ))}
    </div>
  )
}
