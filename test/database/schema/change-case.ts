/** Tables before and after a change, with rows in them. */
import type { Row } from '../../../src/database/executor.ts'
import type { Table } from '../../../src/database/table.ts'
import { column, idOf, optional, row, table } from './tables.ts'

export interface Case {
  from: readonly Table[]
  to: readonly Table[]
  decisions?: readonly string[]
  /** By table. */
  rows: Record<string, readonly Row[]>
  /** By table; members that are not named are as they were. */
  become: Record<string, readonly Row[]>
}

export const note = table('note', [column('title', 'key'), optional('size', 'integer')])
export const notes = [
  { ...row(1), title: "Ann's", size: 3 },
  { ...row(2, 'other'), title: 'ß Σς', size: null },
]
export const page = table('page', [column('note_id', 'id'), column('text', 'key')], {
  indexes: [{ columns: ['note_id'], isUnique: false }],
  foreignKeys: [{ column: 'note_id', table: 'note', cascades: true }],
})
export const pages = [
  { ...row(11), note_id: idOf(1), text: 'One' },
  { ...row(12, 'other'), note_id: idOf(2), text: 'Two' },
]
export const both = { note: notes, page: pages }
