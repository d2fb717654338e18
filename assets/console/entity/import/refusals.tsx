/** Shows the refused lines of a file with their reasons. They can be saved to a file, corrected, and imported again. */
import { text } from '../../text/text.ts'
import { writeLines } from '../csv.ts'
import { saveFile } from '../export.tsx'
import type { ImportLine, LineFault } from './prepare.ts'
import { type Refusal, refusedLines } from './refused-lines.ts'

const { importer } = text
const shownAtOnce = 100

interface RefusalsProps {
  columns: readonly string[]
  refused: readonly Refusal[]
  separator: string
  /** The name of the file to save. */
  name: string
}

export function Refusals({ columns, refused, separator, name }: RefusalsProps) {
  if (refused.length === 0) return null
  const save = () => {
    // The byte order mark tells spreadsheets the encoding.
    const content = `\uFEFF${writeLines(refusedLines(columns, refused), separator)}`
    saveFile(new Blob([content], { type: 'text/csv' }), name)
  }
  return (
    <>
      <div class="table">
        <table>
          <thead>
            <tr>
              <th scope="col">{importer.line}</th>
              <th scope="col">{importer.reason}</th>
            </tr>
          </thead>
          <tbody>
            {refused.slice(0, shownAtOnce).map(({ line, reason }) => (
              <tr key={line}>
                <td>{line}</td>
                <td>{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {refused.length > shownAtOnce && <p>{importer.further(refused.length - shownAtOnce)}</p>}
      <div class="row">
        <button type="button" onClick={save}>
          {importer.save}
        </button>
      </div>
    </>
  )
}

export function refusalOf({ line, cells, fault }: ImportLine & { fault: LineFault }): Refusal {
  return { line, cells, reason: reasonOf(fault) }
}

function reasonOf(fault: LineFault): string {
  switch (fault.kind) {
    case 'cell':
      return `${fault.column}: ${importer.cellFaults[fault.fault](fault.cell)}`
    case 'cells':
      return importer.tooManyCells(fault.count, fault.expected)
    case 'quotes':
      return importer.badQuotes
    default:
      return importer.noObject
  }
}
