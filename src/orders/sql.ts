/** The statements on orders and their items. */
import { type Selectable, sql } from 'kysely'
import { defer, deferBuilt, type TenantData } from '../database/data.ts'
import type { TimeAllowance } from '../database/executor.ts'
import { lockedIn } from '../database/locked-rows.ts'
import { prepare, prepareEach } from '../database/prepared.ts'
import { scanAll, withinTime } from '../database/scan.ts'
import type { TenantTables } from '../database/tenant-tables.ts'
import { type OrderStatus, orderFields, orderItemFields } from './schema.ts'

export type OrderRow = Omit<Selectable<TenantTables['sales_order']>, 'tenant_id'>
export type OrderItemRow = Omit<Selectable<TenantTables['sales_order_item']>, 'tenant_id'>

/** A row of the join: an item, with the columns of its order. */
export type OrderLine = OrderRow & Omit<OrderItemRow, 'order_id' | 'position'>

export interface OrderPageRange {
  after: string
  limit: number
  status?: OrderStatus
  customerId?: string
}

/** The maximum number of items in a page, because items determine its cost. A single order always has fewer. */
export const maxLines = 256

const orderColumns = ['id', ...orderFields.columns, 'created_at', 'updated_at', 'version'] as const
const itemColumns = orderItemFields.columns

// One statement reads the order and its items, so that no change comes between.
const byId = prepare((tables, p: { id: string }) =>
  tables
    .selectFrom('sales_order')
    .innerJoin('sales_order_item', 'order_id', 'id')
    .select([...orderColumns, ...itemColumns])
    .where('id', '=', p.id)
    .orderBy('position'),
)

const page = prepareEach<OrderPageRange, OrderLine>((tables, p, dialect, given) => {
  const orders = tables
    .selectFrom('sales_order')
    .select(orderColumns)
    .where('id', '>', p.after)
    .$if(given.has('status'), (query) => query.where('status', '=', p.status))
    .$if(given.has('customerId'), (query) => query.where('customer_id', '=', p.customerId))
    .$if(given.has('status') && given.has('customerId'), (query) =>
      query.where(withinTime(dialect, 'sales_order.tenant_id', sql`true`)),
    )
    .orderBy('id')
    .limit(p.limit)
  return tables
    .selectFrom(orders.as('page'))
    .innerJoin('sales_order_item', 'order_id', 'id')
    .select([...orderColumns, ...itemColumns])
    .orderBy('id')
    .orderBy('position')
    .limit(maxLines)
})

const lock = prepare((tables, p: { id: string }, dialect) =>
  tables.selectFrom('sales_order').select('id').where('id', '=', p.id).$call(lockedIn(dialect)),
)

const count = prepare((tables, _p: object) =>
  tables
    .insertInto('order_count')
    .values({ last: 1 })
    .onConflict((conflict) =>
      conflict.column('tenant_id').doUpdateSet({ last: sql<number>`order_count.last + 1` }),
    )
    .returning('last'),
)

const insert = prepare((tables, p: OrderRow) =>
  tables.insertInto('sales_order').values(placeholdersOf(orderColumns, p)),
)

const neverReplaced: ReadonlySet<string> = new Set(['id', 'number', 'created_at'])
const replacedColumns = orderColumns.filter((column) => !neverReplaced.has(column))

const replace = prepare((tables, p: OrderRow) =>
  tables.updateTable('sales_order').set(placeholdersOf(replacedColumns, p)).where('id', '=', p.id),
)

const removeItems = prepare((tables, p: { id: string }) =>
  tables.deleteFrom('sales_order_item').where('order_id', '=', p.id),
)

export function findOrderLines(data: TenantData, id: string): Promise<OrderLine[]> {
  return data.all(byId, { id })
}

/** Locks the order until the transaction ends. */
export async function lockOrderRow(data: TenantData, id: string): Promise<void> {
  await data.first(lock, { id })
}

/**
 * The lines of a page, in the order of creation, grouped by order. With `maxLines` lines, the last order may be
 * incomplete.
 * @param time how long a page with both filters may take, for which there is no index
 */
export function orderLinePage(
  data: TenantData,
  range: OrderPageRange,
  time: TimeAllowance,
): Promise<OrderLine[]> {
  const isCombined = range.status !== undefined && range.customerId !== undefined
  return isCombined ? scanAll(data, page(range), { parameters: range, time }) : data.all(page(range), range)
}

/**
 * Assigns the next order number of the tenant. Other transactions that place orders of the tenant wait until this one
 * ends, so that no number is skipped. Until its commit, this transaction must not wait for anything else.
 */
export async function nextOrderNumber(data: TenantData): Promise<number> {
  const row = await data.first(count, {})
  if (row === null) throw new Error('The orders were not counted.')
  return row.last
}

/** Sent with the next statement, or with the commit. */
export async function insertOrder(data: TenantData, row: OrderRow): Promise<void> {
  await defer(data, insert, row)
}

export async function replaceOrder(data: TenantData, row: OrderRow): Promise<void> {
  await data.change(replace, row)
}

/** Sent with the next statement, or with the commit. */
export async function insertItems(data: TenantData, rows: readonly OrderItemRow[]): Promise<void> {
  await deferBuilt(data, data.kysely.insertInto('sales_order_item').values(rows))
}

export async function deleteItems(data: TenantData, orderId: string): Promise<void> {
  await data.change(removeItems, { id: orderId })
}

function placeholdersOf(columns: readonly (keyof OrderRow)[], row: OrderRow): OrderRow {
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as unknown as OrderRow // of its columns
}
