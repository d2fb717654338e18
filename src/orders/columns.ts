import { Type } from 'typebox'
import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { Count } from '../core/schema/stored.ts'
import { orderFields, orderItemFields } from './schema.ts'

/** The schemas of the values that the columns of orders may have, by which an imported archive is checked. */
export const orderColumns: ColumnSchemas = {
  sales_order: { ...orderFields.columnSchemas, version: Type.Integer({ minimum: 1 }) },
  sales_order_item: { ...orderItemFields.columnSchemas, position: Count },
  order_count: { last: Count },
}
