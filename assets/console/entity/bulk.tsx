/** Actions on all chosen rows, one request for each; what was refused is said with its reason. */
import { useState } from 'preact/hooks'
import { ErrorNotice } from '../component/notice.tsx'
import { type EntityDescription, type Row, titleOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { deleteRow, runAction } from './rows.ts'

interface BulkProps {
  entity: EntityDescription
  /** None shows only what was done before. */
  rows: readonly Row[]
  onDone: () => void
}

const namedRows = 3

export function BulkActions({ entity, rows, onDone }: BulkProps) {
  const [outcome, setOutcome] = useState<{ done: number; errors: readonly unknown[] } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (question: string, act: (id: string) => Promise<unknown>) => {
    if (!confirm(question)) return
    setBusy(true)
    const errors: unknown[] = []
    for (const { id } of rows) await act(id).catch((error: unknown) => errors.push(error))
    setOutcome({ done: rows.length - errors.length, errors })
    setBusy(false)
    onDone()
  }
  if (rows.length === 0 && outcome === null) return null
  const names = namesOf(rows.map((row) => titleOf(entity, row)))
  return (
    <div class="notice stack">
      {rows.length > 0 && (
        <div class="row">
          <strong>{text.action.chosen(rows.length)}</strong>
          {entity.actions
            .filter(({ input }) => input === null)
            .map((action) => (
              <button
                type="button"
                key={action.name}
                disabled={isBusy}
                onClick={() =>
                  void run(text.form.confirmAction(action.summary, names), (id) =>
                    runAction(action, id, null),
                  )
                }
              >
                {action.summary}
              </button>
            ))}
          {entity.operations.delete !== undefined && (
            <button
              type="button"
              class="danger"
              disabled={isBusy}
              onClick={() => void run(text.form.confirmDelete(names), (id) => deleteRow(entity, id))}
            >
              {text.action.delete}
            </button>
          )}
        </div>
      )}
      {outcome !== null && <p role="status">{text.list.partly(outcome.done, outcome.errors.length)}</p>}
      {outcome?.errors[0] !== undefined && <ErrorNotice error={outcome.errors[0]} />}
    </div>
  )
}

/** The first of them by name, and how many others there are. */
function namesOf(titles: readonly string[]): string {
  const named = titles.slice(0, namedRows).join(', ')
  return titles.length > namedRows ? text.list.andMore(named, titles.length - namedRows) : named
}
