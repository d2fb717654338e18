/** A page as its connection: edges, nodes, and what is known of the rest. */
import type { Context } from '../../context.ts'
import type { ReadBudget } from '../../database/read/budget.ts'
import { reversed } from '../../database/read/order.ts'
import type { Selection } from '../../database/read/selection.ts'
import { countRows, isAnythingUpTo, readSlice, type SliceRow } from '../../database/read/slice.ts'
import { encodeCursor } from '../argument/cursor.ts'
import { selectionsIn } from '../document/cost.ts'
import type { ConnectionMember, EdgeMember } from '../document/plan.ts'
import { jsonObjectOf } from './json.ts'
import type { Prepared } from './prepare.ts'

export async function readConnection(
  context: Context,
  prepared: Prepared<'connection'>,
  budget: ReadBudget,
): Promise<string> {
  const page = await readPage(context, prepared, budget)
  const total = isAskedFor(prepared, 'totalCount') ? await countAll(context, prepared, budget) : 0
  const rest = await readRest(context, prepared, { ...page, budget })
  return jsonObjectOf(prepared.members, (member) =>
    renderMember(member, prepared, { ...page, ...rest, total }),
  )
}

interface Page {
  rows: SliceRow[]
  /** Behind what was read, in the direction of reading. */
  hasMore: boolean
}

interface Known extends Page {
  total: number
  hasNext: boolean
  hasPrevious: boolean
}

async function readPage(
  context: Context,
  prepared: Prepared<'connection'>,
  budget: ReadBudget,
): Promise<Page> {
  const { entity, members, filter, order, slice } = prepared
  const { size, backward, after, before } = slice
  const wanted = members.some(({ kind }) => kind === 'nodes' || kind === 'edges' || kind === 'pageInfo')
  if (!wanted) return { rows: [], hasMore: false }
  const request = { entity, filter, order, after, before, backward }
  const selections = selectionsIn(members)
  const found = await readSlice(context.data, { ...request, selections, limit: size + 1 }, budget)
  const rows = found.slice(0, size)
  return { rows: backward ? rows.reverse() : rows, hasMore: found.length > size }
}

/** Only a page that begins behind a cursor, and is asked for it, looks at what is on the other side of it. */
async function readRest(
  context: Context,
  prepared: Prepared<'connection'>,
  { hasMore, budget }: Pick<Page, 'hasMore'> & { budget: ReadBudget },
) {
  const { order, slice, entity, filter } = prepared
  const { backward, after, before } = slice
  const name = backward ? 'hasNextPage' : 'hasPreviousPage'
  const edge = backward ? before : after
  const asked = prepared.members.some(
    (member) => member.kind === 'pageInfo' && member.members.some((each) => each.name === name),
  )
  const up = backward ? reversed(order) : order
  const other =
    asked &&
    edge !== null &&
    (await isAnythingUpTo(context.data, { entity, filter, order: up, place: edge }, budget))
  return backward ? { hasNext: other, hasPrevious: hasMore } : { hasNext: hasMore, hasPrevious: other }
}

function countAll(
  context: Context,
  { entity, filter, order }: Prepared<'connection'>,
  budget: ReadBudget,
): Promise<number> {
  return countRows(context.data, { entity, filter, order, after: null, before: null }, budget)
}

function isAskedFor({ members }: Prepared<'connection'>, kind: ConnectionMember['kind']): boolean {
  return members.some((member) => member.kind === kind)
}

function renderMember(member: ConnectionMember, prepared: Prepared<'connection'>, known: Known): string {
  switch (member.kind) {
    case 'constant':
      return JSON.stringify(member.text)
    case 'totalCount':
      return `${known.total}`
    case 'pageInfo':
      return jsonObjectOf(member.members, ({ name }) => pageInfo(name, prepared, known))
    case 'nodes': {
      const index = indexOf(prepared, member.selection)
      return `[${known.rows.map(({ json }) => json[index]).join()}]`
    }
    case 'edges':
      return `[${known.rows.map((row) => jsonObjectOf(member.members, (each) => renderEdge(each, row, prepared))).join()}]`
  }
}

function renderEdge(member: EdgeMember, row: SliceRow, prepared: Prepared<'connection'>): string {
  if (member.kind === 'constant') return JSON.stringify(member.text)
  if (member.kind === 'cursor')
    return JSON.stringify(encodeCursor(prepared.entity, prepared.order, row.place))
  return row.json[indexOf(prepared, member.selection)] ?? 'null'
}

function indexOf({ members }: Prepared<'connection'>, selection: Selection): number {
  return selectionsIn(members).indexOf(selection)
}

function pageInfo(name: string, { entity, order }: Prepared<'connection'>, known: Known): string {
  switch (name) {
    case 'hasNextPage':
      return `${known.hasNext}`
    case 'hasPreviousPage':
      return `${known.hasPrevious}`
    case '__typename':
      return '"PageInfo"'
    default: {
      const row = name === 'startCursor' ? known.rows[0] : known.rows.at(-1)
      return row === undefined ? 'null' : JSON.stringify(encodeCursor(entity, order, row.place))
    }
  }
}
