/**
 * Changes values in the cells of a list. A change is shown at once; if the service refuses it, the former value
 * returns.
 */
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { messageOf } from '../component/notice.tsx'
import { toast } from '../component/toast.tsx'
import { type EntityDescription, type FieldDescription, labelOf, type Row, titleOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { changeMember, isSame, MemberConflict } from './change-member.ts'
import { plainText } from './plain-text.ts'
import { rowQueue } from './row-queue.ts'
import type { StoredRow } from './rows.ts'

export interface EditedCell {
  /** The row as the user saw it. */
  row: Row
  field: FieldDescription
  value: unknown
  /** Why the service has refused the value. */
  fault: string | null
}

type Change = Pick<EditedCell, 'field' | 'value'>

export interface CellEditing {
  cell: EditedCell | null
  canEdit: (field: FieldDescription) => boolean
  begin: (row: Row, field: FieldDescription) => void
  cancel: () => void
  save: (value: unknown) => void
  /** Changes a member without a cell, as a board does. */
  change: (row: Row, field: FieldDescription, value: unknown) => void
  /** @returns the row with its changes that the loaded list does not have yet */
  shown: (row: Row) => Row
}

const editable = new Set<FieldDescription['kind']>([
  'text',
  'integer',
  'money',
  'boolean',
  'date',
  'timestamp',
  'enum',
  'reference',
])

/** @param loaded the list as it was read last; when it is read again, it includes the changes */
export function useCellEditing(entity: EntityDescription, loaded: unknown, reload: () => void): CellEditing {
  const [cell, setCell] = useState<EditedCell | null>(null)
  const [changed, setChanged] = useState<ReadonlyMap<string, Row>>(new Map())
  const [pending] = useState(() => new Set<string>())
  // A list that was read while a change is being sent may not include that change, so those rows keep it.
  useEffect(() => setChanged((present) => new Map([...present].filter(([id]) => pending.has(id)))), [loaded])
  const show = (id: string, row: Row | null) =>
    setChanged((present) => {
      const next = new Map(present)
      if (row === null) next.delete(id)
      else next.set(id, row)
      return next
    })
  const [queued] = useState(() => rowQueue<StoredRow>())
  const change = (row: Row, field: FieldDescription, value: unknown, isUndo = false) => {
    const { name } = field
    if (isSame(row[name], value)) return
    pending.add(row.id)
    show(row.id, { ...row, [name]: value })
    void queued(row.id, { row, etag: null }, async (base, isLast) => {
      const stored = await store(base, { field, value, isUndo }).catch((error: unknown) =>
        refuse(error, base.row, { field, value }),
      )
      if (isLast()) {
        pending.delete(row.id)
        show(row.id, stored.row)
        if (stored.etag !== null) reload()
      }
      return stored
    })
  }
  const store = async (base: StoredRow, { field, value, isUndo }: Change & { isUndo: boolean }) => {
    const { name } = field
    const before = base.row[name] ?? null
    if (isSame(before, value)) return base
    const saved = await changeMember(entity, base, { name, value })
    const title = titleOf(entity, saved.row)
    // The title of a referenced row is not known here, only its id.
    const words =
      isUndo && field.kind !== 'reference'
        ? text.table.takenBack(labelOf(field), title, plainText(field, value))
        : text.table.changed(labelOf(field), title)
    toast(words, { undo: () => change(saved.row, field, before, !isUndo) })
    return saved
  }
  const refuse = (error: unknown, seen: Row, { field, value }: Change): StoredRow => {
    const row = error instanceof MemberConflict ? error.stored : seen
    const fault = faultOf(error, field)
    if (error instanceof ApiError && error.status === 404) {
      // The row is gone, and its cell with it, so the fault is shown as a toast.
      toast(fault)
      reload()
    } else setCell({ row, field, value, fault })
    return { row, etag: null }
  }
  return {
    cell,
    canEdit: ({ kind, isReadOnly, isFixed, entity: target }) =>
      entity.operations.change !== undefined &&
      !isReadOnly &&
      isFixed !== true &&
      target !== 'file' &&
      editable.has(kind),
    begin: (row, field) => setCell({ row, field, value: row[field.name], fault: null }),
    cancel: () => setCell(null),
    save: (value) => {
      if (cell === null) return
      setCell(null)
      change(cell.row, cell.field, value)
    },
    change,
    shown: (row) => changed.get(row.id) ?? row,
  }
}

function faultOf(error: unknown, field: FieldDescription): string {
  if (error instanceof MemberConflict) return text.table.conflict(plainText(field, error.stored[field.name]))
  const [fault] = error instanceof ApiError ? error.faults : []
  return fault?.reason ?? messageOf(error)
}
