/** Of the height that a page usually has, so that nothing jumps when it arrives. */
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
