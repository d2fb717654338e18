/**
 * The bar below a list that changes, deletes or runs an action on all chosen rows, and the report of the rows that
 * failed.
 */
import { X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { confirmed } from '../component/confirm-dialog.tsx'
import { Icon } from '../component/icon.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import type { Selection } from '../component/selection.ts'
import { toast } from '../component/toast.tsx'
import {
  type Action,
  actionLabelOf,
  type EntityDescription,
  inverseOf,
  isRestorable,
  type Row,
  titleOf,
} from '../describe.ts'
import { numbers, text } from '../text/text.ts'
import { BulkChange } from './bulk-change.tsx'
import { type BulkReport, type BulkTarget, maxBulkRows, runBulk } from './bulk-request.ts'
import { reasonOf, resultOf } from './bulk-result.ts'
import { formerRows, undoOf } from './bulk-undo.ts'

interface BulkProps {
  entity: EntityDescription
  selection: Selection<Row>
  /** The parameters of the shown list. */
  request: Readonly<Record<string, string>>
  total: number | null
  onDone: () => void
}

interface Question {
  /** The name of the deletion or the action in the request. */
  name: string
  /** The question before it; `null` if it can be undone, and is done without a question. */
  title: string | null
  verb: string
  isDangerous: boolean
}

const namedRows = 3

export function BulkBar(props: BulkProps) {
  const { entity, selection, total } = props
  const { rows } = selection
  /** Whether the user has asked for all matching rows, also those of other pages. */
  const [isAll, setAll] = useState(false)
  useEffect(() => {
    if (!selection.hasAll) setAll(false)
  }, [selection.hasAll])
  const matching = Math.min(total ?? 0, maxBulkRows)
  const isAllChosen = isAll && selection.hasAll
  const { isBusy, error, report, run, closeReport } = useBulk(props, isAllChosen)
  const count = isAllChosen ? matching : rows.length
  const change = (member: string, value: unknown) => run('change', { member, value })
  const ask = async ({ name, title, verb, isDangerous }: Question) => {
    if (title === null || (await confirmed({ title, verb, kind: isDangerous ? 'danger' : 'main' })))
      await run(name)
  }
  const names = isAllChosen
    ? text.table.countLabels(numbers.format(count), entity.labels)
    : namesOf(rows.map((row) => titleOf(entity, row)))
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      {report !== null && <Refused report={report} rows={rows} entity={entity} onClose={closeReport} />}
      {rows.length > 0 && (
        <section class={isBusy ? 'bulk-bar is-busy' : 'bulk-bar'} aria-label={text.action.chosen(count)}>
          <strong role="status">{text.action.chosen(count)}</strong>
          {selection.hasAll && !isAllChosen && total !== null && total > rows.length && (
            <button type="button" class="link" onClick={() => setAll(true)}>
              {text.table.chooseMatching(numbers.format(matching))}
            </button>
          )}
          {entity.operations.change !== undefined && (
            <BulkChange entity={entity} isBusy={isBusy} change={change} />
          )}
          {questionsOf(entity, names).map((each) => (
            <button
              type="button"
              key={each.name}
              class={each.isDangerous ? 'danger' : undefined}
              disabled={isBusy}
              onClick={() => void ask(each)}
            >
              {each.verb}
            </button>
          ))}
          <button
            type="button"
            class="plain only-icon"
            aria-label={text.table.letGo}
            onClick={() => selection.chooseAll(false)}
          >
            <Icon node={X} />
          </button>
        </section>
      )}
    </>
  )
}

function useBulk({ entity, selection, request, total, onDone }: BulkProps, isAllChosen: boolean) {
  const [report, setReport] = useState<BulkReport | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const { sort: _sort, cursor: _cursor, ...query } = request
  const { rows } = selection
  const target: BulkTarget =
    isAllChosen && total !== null ? { query, count: total } : { ids: rows.map(({ id }) => id) }
  const run = async (verb: string, given?: { member: string; value: unknown }) => {
    setBusy(true)
    setError(null)
    setReport(null)
    try {
      const member = given?.member ?? ''
      // If the former values cannot be read, the change is made without a way to undo it, and the toast says so.
      const former = given && (await formerRows(entity, target, { member, shown: [...rows] }).catch(() => []))
      const input = given && { [member]: given.value }
      const result = await runBulk(entity, target, { verb, ...(input && { input }) })
      if (result.failed > 0) setReport(result)
      const undo = undoOf(entity, { verb, report: result, member, ...(former && { former }) })
      const message = resultOf([result])
      if (undo === null) toast(given ? `${message} ${text.list.noUndo}` : message)
      else {
        // A failure is shown by the toast, because this bar may be gone by then.
        const takeBack = async () => {
          setReport(null)
          await undo().finally(onDone)
        }
        toast(message, { undo: takeBack })
      }
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
    onDone()
  }
  return { isBusy, error, report, run, closeReport: () => setReport(null) }
}

/** @returns the actions without input, and the deletion @param names of the chosen rows */
function questionsOf(entity: EntityDescription, names: string): Question[] {
  const asked = entity.actions
    .filter((action) => action.input === null && action.console?.bulk !== false)
    .map((action) => ({
      name: action.name,
      title: action.console?.confirm ?? questionOf(entity, action, names),
      verb: actionLabelOf(action),
      isDangerous: false,
    }))
  if (entity.operations.delete === undefined) return asked
  const { delete: verb } = text.action
  const title = isRestorable(entity) ? null : text.form.confirmDelete(names)
  return [...asked, { name: 'delete', title, verb, isDangerous: true }]
}

/** @returns the question before an action; `null` if another action undoes it */
function questionOf(entity: EntityDescription, action: Action, names: string): string | null {
  const isUndone = inverseOf(entity, action) !== undefined
  return isUndone ? null : text.form.confirmAction(actionLabelOf(action), names)
}

interface RefusedProps {
  report: BulkReport
  rows: readonly Row[]
  entity: EntityDescription
  onClose: () => void
}

const namedFaults = 5

function Refused({ report, rows, entity, onClose }: RefusedProps) {
  const failed = report.rows.filter(({ status }) => status === 'failed')
  return (
    <div class="notice bad bulk-report" role="alert">
      <button type="button" class="plain only-icon" aria-label={text.action.close} onClick={onClose}>
        <Icon node={X} />
      </button>
      <p>{text.list.partly(report.done, report.failed)}</p>
      <ul>
        {failed.slice(0, namedFaults).map(({ id, error }) => {
          const row = rows.find((each) => each.id === id)
          return (
            <li key={id}>
              {row === undefined ? id : titleOf(entity, row)}: {reasonOf(error)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** @returns the first titles, and the number of the others, such as `A, B, C and 4 more` */
function namesOf(titles: readonly string[]): string {
  const named = titles.slice(0, namedRows).join(', ')
  return titles.length > namedRows ? text.list.andMore(named, titles.length - namedRows) : named
}
