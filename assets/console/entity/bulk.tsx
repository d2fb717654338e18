/** Actions on all chosen rows, one request for each; what was refused is said with its reason. */
import { useState } from 'preact/hooks'
import { ErrorNotice } from '../component/notice.tsx'
import type { EntityDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import { deleteRow, runAction } from './rows.ts'

interface BulkProps {
  entity: EntityDescription
  ids: readonly string[]
  onDone: () => void
}

export function BulkActions({ entity, ids, onDone }: BulkProps) {
  const [outcome, setOutcome] = useState<{ done: number; errors: readonly unknown[] } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const run = async (act: (id: string) => Promise<unknown>) => {
    setBusy(true)
    const errors: unknown[] = []
    for (const id of ids) await act(id).catch((error: unknown) => errors.push(error))
    setOutcome({ done: ids.length - errors.length, errors })
    setBusy(false)
    onDone()
  }
  const removeAll = () => {
    if (confirm(text.list.confirmDelete(ids.length))) void run((id) => deleteRow(entity, id))
  }
  return (
    <div class="notice stack">
      <div class="row">
        <strong>{text.action.chosen(ids.length)}</strong>
        {entity.actions
          .filter(({ input }) => input === null)
          .map((action) => (
            <button
              type="button"
              key={action.name}
              disabled={isBusy}
              onClick={() => void run((id) => runAction(action, id, null))}
            >
              {action.summary}
            </button>
          ))}
        {entity.operations.delete !== undefined && (
          <button type="button" class="danger" disabled={isBusy} onClick={removeAll}>
            {text.action.delete}
          </button>
        )}
      </div>
      {outcome !== null && <p role="status">{text.list.partly(outcome.done, outcome.errors.length)}</p>}
      {outcome?.errors[0] !== undefined && <ErrorNotice error={outcome.errors[0]} />}
    </div>
  )
}
