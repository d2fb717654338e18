/**
 * SQL for pages inside a row, such as the first orders of a customer. The database renders the rows of the page and one
 * more, with what cursors and page information need; `connection.ts` makes the GraphQL connection of it.
 */
import { type RawBuilder, sql } from 'kysely'
import { type JsonMember, jsonText } from '../json-object.ts'
import { withinTime } from '../scan.ts'
import { restriction } from './filter.ts'
import { keysetPredicate, keyValue, orderBy, reversed } from './order.ts'
import { between, rangeShape } from './range.ts'
import { columnsOf, pageFrameBytes, type RelationPage, type Selection } from './selection.ts'
import type { SqlBuilder } from './sql-builder.ts'
import { StatementValues } from './values.ts'

/** @returns all pages in a selection, each before the pages inside it */
export function pagesIn(selection: Selection): RelationPage[] {
  return selection.flatMap((selected) => {
    if (selected.kind === 'relation') return pagesIn(selected.selection)
    return selected.kind === 'page' ? [selected.page, ...pagesIn(selected.page.rows)] : []
  })
}

export function hasPages(selection: Selection): boolean {
  return selection.some(
    (selected) => selected.kind === 'page' || (selected.kind === 'relation' && hasPages(selected.selection)),
  )
}

/** Adds the values of pages to those of the statement. The shape of the pages is a part of the selection's shape. */
export function addPages(pages: readonly RelationPage[], values: StatementValues): void {
  for (const page of pages) {
    rangeShape(page, values)
    values.add(page, page.size + 1)
  }
}

/** @returns a text that determines the SQL of a page, except for how its rows are rendered */
export function pageShape(page: RelationPage): string {
  const needed = [page.backward ? 'last' : 'first', needsKeys(page), needsOther(page), needsTotal(page)]
  return `${page.relation.name}(${rangeShape(page, new StatementValues())}|${needed.join()})`
}

/** Renders something of the row with this alias: its JSON, or its size. */
type OfRow = (alias: string) => RawBuilder<unknown>

/**
 * Renders a page as an object: `rows`, one more than the page has, each with its members in `row` and the values `k0`, …
 * of its sort keys; where they are selected, `total`, and `other`, whether rows lie on the other side of the begin.
 */
export function renderRelationPage(
  page: RelationPage,
  from: string,
  builder: SqlBuilder,
  renderRow: OfRow,
): RawBuilder<unknown> {
  const { query, alias, sorted } = pageRows(page, from, builder)
  const row: JsonMember = { name: 'row', value: renderRow(alias), kind: 'json', isNullable: false }
  const text = jsonText(builder.dialect, [row, ...keyMembers(page, alias)])
  const list = sql<string>`'[' || coalesce(string_agg(${text}, ','${sorted}), '') || ']'`
  const members: JsonMember[] = [
    { name: 'rows', value: sql`${query.select(list.as('json'))}`, kind: 'json', isNullable: false },
  ]
  if (needsTotal(page))
    members.push({ name: 'total', value: totalOf(page, from, builder), kind: 'integer', isNullable: false })
  if (needsOther(page))
    members.push({ name: 'other', value: otherOf(page, from, builder), kind: 'json', isNullable: false })
  return jsonText(builder.dialect, members)
}

/** The values of a row's sort keys, which its cursor contains; none if no cursor is selected. */
function keyMembers(page: RelationPage, alias: string): JsonMember[] {
  if (!needsKeys(page)) return []
  return page.order.map(({ field, path }, index) => {
    const isNullable = field.isNullable || path.length > 0
    return { name: `k${index}`, value: sql.ref(`${alias}.k${index}`), kind: field.kind, isNullable }
  })
}

/** Measures a page. The result is at least its size in bytes. */
export function measureRelationPage(
  page: RelationPage,
  from: string,
  builder: SqlBuilder,
  measureRow: OfRow,
): RawBuilder<unknown> {
  const { query, alias } = pageRows(page, from, builder)
  const keys = keyMembers(page, alias)
  const keyBytes = keys.length === 0 ? sql.lit(0) : sql`octet_length(${jsonText(builder.dialect, keys)})`
  const bytes = sql`coalesce(sum(${measureRow(alias)} + ${keyBytes} + ${sql.lit(pageFrameBytes)}), 0)`
  return sql`(${sql.lit(page.key.length + pageFrameBytes)} + ${query.select(bytes.as('bytes'))})`
}

/** The rows of the page and one more, with the columns that rendering reads, and the values of the sort keys. */
function pageRows(page: RelationPage, from: string, builder: SqlBuilder) {
  const { relation, backward } = page
  const order = backward ? reversed(page.order) : page.order
  const isSorted = builder.dialect === 'postgres'
  const { query, alias } = builder.related(relation, from)
  const names = new Set([...relation.entity.key.map(({ column }) => column), ...columnsOf(page.rows)])
  const keys = isSorted || needsKeys(page) ? order.map((key) => keyValue(key, alias, builder)) : []
  const found = [matches(page, alias, builder), ...between(page, alias, builder)]
    .reduce((all, condition) => all.where(condition), query)
    .select([
      ...[...names].map((name) => sql.ref(`${alias}.${name}`).as(name)),
      ...keys.map((key, index) => key.as(`k${index}`)),
    ])
    .orderBy(orderBy(order, (key) => keyValue(key, alias, builder), builder))
    .limit(builder.parameter<number>(page))
  const rows = builder.from(found, `${alias}p`)
  const sorted = orderBy(order, (_key, index) => sql.ref(`${rows.alias}.k${index}`), builder)
  return { query: rows.query, alias: rows.alias, sorted: isSorted ? sql` order by ${sorted}` : sql`` }
}

/** The condition of the page's filter, with a time limit: a row may have any number of related rows. */
function matches({ filter }: RelationPage, alias: string, builder: SqlBuilder) {
  return withinTime(builder.dialect, `${alias}.tenant_id`, restriction(filter, alias, builder))
}

function totalOf(page: RelationPage, from: string, builder: SqlBuilder): RawBuilder<unknown> {
  const { query, alias } = builder.related(page.relation, from)
  const rows = query.where(matches(page, alias, builder))
  return sql`${rows.select(sql`count(*)`.as('count'))}`
}

/** Whether there are rows on the other side of the position at which the page begins. */
function otherOf(page: RelationPage, from: string, builder: SqlBuilder): RawBuilder<unknown> {
  const { backward, order, after, before } = page
  const { query, alias } = builder.related(page.relation, from)
  const side = backward ? reversed(order) : order
  const position = (backward ? before : after) ?? []
  const beyond = query
    .where(matches(page, alias, builder))
    .where(sql<boolean>`(${keysetPredicate(side, position, alias, builder)}) is not true`)
  return sql`case when exists ${beyond.select(sql`1`.as('found'))} then 'true' else 'false' end`
}

function needsKeys({ members }: RelationPage): boolean {
  return members.some(
    (member) =>
      (member.kind === 'edges' && member.members.some(({ kind }) => kind === 'cursor')) ||
      (member.kind === 'pageInfo' && member.members.some(({ name }) => name.endsWith('Cursor'))),
  )
}

function needsTotal({ members }: RelationPage): boolean {
  return members.some(({ kind }) => kind === 'totalCount')
}

function needsOther({ members, backward, after, before }: RelationPage): boolean {
  const name = backward ? 'hasNextPage' : 'hasPreviousPage'
  const isSelected = members.some(
    (member) => member.kind === 'pageInfo' && member.members.some((each) => each.name === name),
  )
  return isSelected && (backward ? before : after) !== null
}
