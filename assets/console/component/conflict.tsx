/** What somebody else has stored in the meantime, beside what was typed: one of both is kept. */
import type { ComponentChildren } from 'preact'
import { text } from '../text/text.ts'
import { Dialog } from './dialog.tsx'

export interface Difference {
  label: string
  yours: ComponentChildren
  theirs: ComponentChildren
}

interface ConflictProps {
  title?: string
  differences: readonly Difference[]
  keepYours: () => void
  keepTheirs: () => void
  onClose: () => void
}

export function ConflictDialog(props: ConflictProps) {
  const { title = text.form.conflictTitle, differences, keepYours, keepTheirs, onClose } = props
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text.form.conflictText}</p>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">{text.list.field}</th>
              <th scope="col">{text.form.yours}</th>
              <th scope="col">{text.form.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ label, yours, theirs }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{yours}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="row">
        <button type="button" class="main" onClick={keepYours}>
          {text.form.keepYours}
        </button>
        <button type="button" onClick={keepTheirs}>
          {text.form.keepTheirs}
        </button>
      </div>
    </Dialog>
  )
}
