/** Changes in the cells of a list: shown at once, and taken back with the reason if the service refuses them. */
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api.ts'
import { messageOf } from '../component/notice.tsx'
import { toast } from '../component/toast.tsx'
import { type EntityDescription, type FieldDescription, labelOf, type Row, titleOf } from '../describe.ts'
import { text } from '../text/text.ts'
import { changeMember, isSame, MemberConflict } from './change-member.ts'

export interface EditedCell {
  /** The row as the user saw it. */
  row: Row
  field: FieldDescription
  value: unknown
  /** Why the service has refused the value. */
  fault: string | null
}

export interface CellEditing {
  cell: EditedCell | null
  canEdit: (field: FieldDescription) => boolean
  begin: (row: Row, field: FieldDescription) => void
  cancel: () => void
  save: (value: unknown) => void
  /** Changes a member without a cell, as a board does. */
  change: (row: Row, field: FieldDescription, value: unknown) => void
  /** The row with what has been changed here. */
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

/** @param loaded what is shown: when the list is read again, it has the changes */
export function useCellEditing(entity: EntityDescription, loaded: unknown, reload: () => void): CellEditing {
  const [cell, setCell] = useState<EditedCell | null>(null)
  const [changed, setChanged] = useState<ReadonlyMap<string, Row>>(new Map())
  useEffect(() => setChanged(new Map()), [loaded])
  const show = (id: string, row: Row | null) =>
    setChanged((present) => {
      const next = new Map(present)
      if (row === null) next.delete(id)
      else next.set(id, row)
      return next
    })
  const change = async (seen: Row, field: FieldDescription, value: unknown) => {
    const { name } = field
    if (isSame(seen[name], value)) return
    show(seen.id, { ...seen, [name]: value })
    try {
      const row = await changeMember(entity, seen, { name, value })
      show(row.id, row)
      toast(text.table.changed(labelOf(field), titleOf(entity, row)), {
        undo: () => void change(row, field, seen[name] ?? null),
      })
      reload()
    } catch (error) {
      const row = error instanceof MemberConflict ? error.stored : seen
      const fault = faultOf(error, field)
      show(seen.id, row)
      if (error instanceof ApiError && error.status === 404) {
        // Its cell goes with it.
        toast(fault)
        reload()
      } else setCell({ row, field, value, fault })
    }
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
      void change(cell.row, cell.field, value)
    },
    change: (row, field, value) => void change(row, field, value),
    shown: (row) => changed.get(row.id) ?? row,
  }
}

function shownText(value: unknown): string {
  return value === null || value === undefined ? text.table.empty : String(value)
}

function faultOf(error: unknown, { name }: FieldDescription): string {
  if (error instanceof MemberConflict) return text.table.conflict(shownText(error.stored[name]))
  const [fault] = error instanceof ApiError ? error.faults : []
  return fault?.reason ?? messageOf(error)
}
