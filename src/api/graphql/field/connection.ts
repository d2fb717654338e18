/** A page as a connection: edges, nodes, and the page information. */
import type { Context } from '../../../core/context.ts'
import { encodeRowCursor } from '../../../core/row-cursor.ts'
import { rowsIn } from '../../../core/rows.ts'
import type { ReadBudget } from '../../../database/read/measure.ts'
import { reversed } from '../../../database/read/order.ts'
import { withoutDuplicates } from '../../../database/read/projection.ts'
import {
  type ConnectionMember,
  type EdgeMember,
  type Selection,
  selectionsIn,
} from '../../../database/read/selection.ts'
import { countRows, hasRowsUpTo, readSlice, type SliceRow } from '../../../database/read/slice.ts'
import { TimeSlice } from '../../../database/time-slice.ts'
import { type Json, JsonWriter, jsonObjectOf } from '../json-writer.ts'
import type { PreparedField } from './prepare.ts'
import { copiesOf, type RenderedRow, writeRow } from './row.ts'

export async function readConnection(
  context: Context,
  prepared: PreparedField<'connection'>,
  budget: ReadBudget,
): Promise<Json> {
  const page = await readPage(context, prepared, budget)
  const total = isSelected(prepared, 'totalCount') ? await countAll(context, prepared, budget) : 0
  const neighbours = await readNeighbours(context, prepared, { ...page, budget })
  const writer = new JsonWriter()
  const writing = { writer, pace: new TimeSlice(), prepared, result: { ...page, ...neighbours, total } }
  for (const [index, member] of prepared.members.entries()) {
    writer.add(`${index === 0 ? '{' : ','}"${member.as}":`)
    await writeMember(member, writing)
  }
  writer.add('}')
  return writer.finish()
}

interface PageRow {
  /** The row as each selection has it. */
  forms: readonly RenderedRow[]
  position: SliceRow['position']
}

interface Page {
  rows: PageRow[]
  /** Whether rows follow in the direction of reading. */
  hasMore: boolean
}

interface PageResult extends Page {
  total: number
  hasNext: boolean
  hasPrevious: boolean
}

async function readPage(
  context: Context,
  prepared: PreparedField<'connection'>,
  budget: ReadBudget,
): Promise<Page> {
  const { entity, members, filter, order, slice } = prepared
  const { size, backward, after, before } = slice
  const needsRows = members.some(({ kind }) => kind === 'nodes' || kind === 'edges' || kind === 'pageInfo')
  if (!needsRows) return { rows: [], hasMore: false }
  const request = { entity, filter, order, after, before, backward }
  const selections = selectionsIn(members)
  const distinct = withoutDuplicates(selections)
  const found = await readSlice(
    rowsIn(context, entity),
    { ...request, selections: distinct, limit: size + 1 },
    budget,
  )
  const kept = found.slice(0, size)
  const rows =
    distinct === selections
      ? kept.map(unchanged)
      : await copyEach(kept, (json) => copiesOf(json, { selections, budget }))
  return { rows: backward ? rows.reverse() : rows, hasMore: found.length > size }
}

function unchanged({ json, position }: SliceRow): PageRow {
  return { forms: json, position }
}

async function copyEach(
  rows: readonly SliceRow[],
  copy: (json: string) => RenderedRow[],
): Promise<PageRow[]> {
  const pace = new TimeSlice()
  const copied: PageRow[] = []
  for (const { json, position } of rows) {
    copied.push({ forms: copy(json.join()), position }) // one selection was read, the union of all: `json` has one text
    await pace.pause()
  }
  return copied
}

/**
 * Tells whether rows exist before and after the page. In the direction of reading, `hasMore` tells it. On the other
 * side, the database is asked only if the request has a cursor there and selects the member of `pageInfo`.
 */
async function readNeighbours(
  context: Context,
  prepared: PreparedField<'connection'>,
  { hasMore, budget }: Pick<Page, 'hasMore'> & { budget: ReadBudget },
) {
  const { order, slice, entity, filter } = prepared
  const { backward, after, before } = slice
  const name = backward ? 'hasNextPage' : 'hasPreviousPage'
  const edge = backward ? before : after
  const isNeeded = prepared.members.some(
    (member) => member.kind === 'pageInfo' && member.members.some((each) => each.name === name),
  )
  const upward = backward ? reversed(order) : order
  const other =
    isNeeded &&
    edge !== null &&
    (await hasRowsUpTo(rowsIn(context, entity), { entity, filter, order: upward, position: edge }, budget))
  return backward ? { hasNext: other, hasPrevious: hasMore } : { hasNext: hasMore, hasPrevious: other }
}

function countAll(
  context: Context,
  { entity, filter, order }: PreparedField<'connection'>,
  budget: ReadBudget,
): Promise<number> {
  return countRows(rowsIn(context, entity), { entity, filter, order, after: null, before: null }, budget)
}

function isSelected({ members }: PreparedField<'connection'>, kind: ConnectionMember['kind']): boolean {
  return members.some((member) => member.kind === kind)
}

interface Writing {
  writer: JsonWriter
  pace: TimeSlice
  prepared: PreparedField<'connection'>
  result: PageResult
}

async function writeMember(member: ConnectionMember, writing: Writing): Promise<void> {
  const { writer, pace, prepared, result } = writing
  switch (member.kind) {
    case 'constant':
      return writer.add(JSON.stringify(member.text))
    case 'totalCount':
      return writer.add(`${result.total}`)
    case 'pageInfo':
      return writer.add(jsonObjectOf(member.members, ({ name }) => pageInfo(name, prepared, result)))
    case 'nodes': {
      const form = indexOf(prepared, member.selection)
      return writeList(writing, (row) => writeRow(writer, row.forms[form] ?? 'null', pace))
    }
    case 'edges':
      return writeList(writing, (row) => writeEdge(member.members, row, writing))
  }
}

async function writeList(
  { writer, result: { rows } }: Writing,
  write: (row: PageRow) => Promise<void> | null,
): Promise<void> {
  writer.add('[')
  for (const [index, row] of rows.entries()) {
    if (index > 0) writer.add(',')
    const rest = write(row)
    if (rest !== null) await rest
  }
  writer.add(']')
}

async function writeEdge(members: readonly EdgeMember[], row: PageRow, writing: Writing): Promise<void> {
  const { writer, pace, prepared } = writing
  const { entity, order } = prepared
  for (const [index, member] of members.entries()) {
    writer.add(`${index === 0 ? '{' : ','}"${member.as}":`)
    if (member.kind === 'constant') writer.add(JSON.stringify(member.text))
    else if (member.kind === 'cursor')
      writer.add(JSON.stringify(encodeRowCursor(entity, order, row.position)))
    else await writeRow(writer, row.forms[indexOf(prepared, member.selection)] ?? 'null', pace)
  }
  writer.add('}')
}

function indexOf({ members }: PreparedField<'connection'>, selection: Selection): number {
  return selectionsIn(members).indexOf(selection)
}

function pageInfo(name: string, { entity, order }: PreparedField<'connection'>, result: PageResult): string {
  switch (name) {
    case 'hasNextPage':
      return `${result.hasNext}`
    case 'hasPreviousPage':
      return `${result.hasPrevious}`
    case '__typename':
      return '"PageInfo"'
    default: {
      const row = name === 'startCursor' ? result.rows[0] : result.rows.at(-1)
      return row === undefined ? 'null' : JSON.stringify(encodeRowCursor(entity, order, row.position))
    }
  }
}
