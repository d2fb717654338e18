/** Makes a GraphQL connection (edges, nodes, pageInfo) from a page of related rows that the database has rendered. */
import type { KeysetPosition } from './order.ts'
import { Copy, Leaf, type Parsed, type Shaped } from './parsed.ts'
import type { ConnectionMember, EdgeMember, RelationPage } from './selection.ts'

type Members = { readonly [name: string]: Parsed }

interface Found {
  page: RelationPage
  /** The rows in the order of the connection. */
  rows: readonly Members[]
  hasNext: boolean
  hasPrevious: boolean
  total: Parsed | undefined
}

/**
 * @param value the page as the database has rendered it in its row
 * @returns `null` as JSON where the row itself is null
 */
export function connectionOf(page: RelationPage, value: Parsed | undefined): Shaped {
  if (value === undefined || value instanceof Leaf || Array.isArray(value)) return new Leaf('null')
  // The rows as they were read: one more than the page has, and from the last on if the page is read backwards.
  const rows = value['rows'] as Members[] // `renderRelationPage` writes objects with `row`, `k0`, …
  const kept = rows.slice(0, page.size)
  const followsMore = rows.length > page.size
  /** Whether rows lie before the position at which reading began. Without such a position there are none. */
  const precedesMore = textOf(value['other']) === 'true'
  const found: Found = {
    page,
    rows: page.backward ? kept.reverse() : kept,
    hasNext: page.backward ? precedesMore : followsMore,
    hasPrevious: page.backward ? followsMore : precedesMore,
    total: value['total'],
  }
  return new Map(page.members.map((member) => [member.as, memberOf(member, found)]))
}

function memberOf(member: ConnectionMember, found: Found): Shaped {
  switch (member.kind) {
    case 'nodes':
      return found.rows.map((row) => new Copy(row['row'] ?? nothing, member.selection))
    case 'edges':
      return found.rows.map(
        (row) => new Map(member.members.map((each) => [each.as, edgeMemberOf(each, row, found)])),
      )
    case 'pageInfo':
      return new Map(member.members.map(({ as, name }) => [as, new Leaf(pageInfo(name, found))]))
    case 'totalCount':
      return new Leaf(textOf(found.total))
    case 'constant':
      return new Leaf(JSON.stringify(member.text))
  }
}

const nothing = new Leaf('null')

function edgeMemberOf(member: EdgeMember, row: Members, found: Found): Shaped {
  if (member.kind === 'node') return new Copy(row['row'] ?? nothing, member.selection)
  return new Leaf(member.kind === 'cursor' ? cursorOf(row, found) : JSON.stringify(member.text))
}

function pageInfo(name: string, found: Found): string {
  switch (name) {
    case 'hasNextPage':
      return `${found.hasNext}`
    case 'hasPreviousPage':
      return `${found.hasPrevious}`
    case '__typename':
      return '"PageInfo"'
    default: {
      const row = name === 'startCursor' ? found.rows[0] : found.rows.at(-1)
      return row === undefined ? 'null' : cursorOf(row, found)
    }
  }
}

function cursorOf(row: Members, { page }: Found): string {
  const position = page.order.map((_key, index): KeysetPosition[number] =>
    JSON.parse(textOf(row[`k${index}`])),
  )
  return JSON.stringify(page.cursorOf(position))
}

function textOf(value: Parsed | undefined): string {
  return value instanceof Leaf ? value.text : 'null'
}
