import {
  type JsonPage,
  jsonObject,
  pageColumns,
  prepare,
  type TenantColumn,
  type TenantData,
} from '../../../src/index.ts'
import { Ware } from './schema.ts'

interface WareTable {
  tenant_id: TenantColumn
  id: string
  name: string
  search_name: string
  description: string | null
  price: number
  is_active: boolean
  category_id: string | null
  created_at: string
  updated_at: string
  version: number
}

declare module '../../../src/index.ts' {
  interface TenantTables {
    ware: WareTable
  }
}

type NewWare = Omit<WareTable, 'tenant_id'>

const renderedById = prepare((tables, p: { id: string }, dialect) =>
  tables
    .selectFrom('ware')
    .select(jsonObject(dialect, Ware).as('json'))
    .select(['version', 'updated_at as updatedAt'])
    .where('id', '=', p.id),
)

const insert = prepare((tables, p: NewWare) =>
  tables.insertInto('ware').values({
    id: p.id,
    name: p.name,
    search_name: p.search_name,
    description: p.description,
    price: p.price,
    is_active: p.is_active,
    category_id: p.category_id,
    created_at: p.created_at,
    updated_at: p.updated_at,
    version: p.version,
  }),
)

export interface WarePageRange {
  after: string
  limit: number
}

const page = prepare((tables, p: WarePageRange, dialect) => {
  const rows = tables
    .selectFrom('ware')
    .select('id')
    .select(jsonObject(dialect, Ware).as('json'))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit)
  return tables.selectFrom(rows.as('page')).select(pageColumns(dialect))
})

export interface RenderedWare {
  json: string
  version: number
  updatedAt: string
}

/** As JSON text, rendered by the database. */
export function findRenderedWare(data: TenantData, id: string): Promise<RenderedWare | null> {
  return data.first(renderedById, { id })
}

export async function insertWare(data: TenantData, ware: NewWare): Promise<void> {
  await data.change(insert, ware)
}

export function warePage(data: TenantData, range: WarePageRange): Promise<JsonPage | null> {
  return data.first(page, range)
}
