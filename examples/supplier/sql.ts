import { type Context, prepare, type TenantColumn } from '../../src/index.ts'
import type { Supplier } from './schema.ts'

interface SupplierTable {
  tenant_id: TenantColumn
  id: string
  name: string
  kind: Supplier['kind']
  created_at: string
}

declare module '../../src/index.ts' {
  interface TenantTables {
    supplier: SupplierTable
  }
}

type NewSupplier = Omit<SupplierTable, 'tenant_id'>

const columns = ['id', 'name', 'kind', 'created_at as createdAt'] as const

const all = prepare((tables, p: { limit: number }) =>
  tables.selectFrom('supplier').select(columns).orderBy('created_at').orderBy('id').limit(p.limit),
)

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('supplier').select(columns).where('id', '=', p.id),
)

const insert = prepare((tables, p: NewSupplier) =>
  tables.insertInto('supplier').values({ id: p.id, name: p.name, kind: p.kind, created_at: p.created_at }),
)

export function findSuppliers({ data }: Context, limit: number): Promise<Supplier[]> {
  return data.all(all, { limit })
}

export function findSupplier({ data }: Context, id: string): Promise<Supplier | null> {
  return data.first(byId, { id })
}

export async function insertSupplier({ data }: Context, row: NewSupplier): Promise<void> {
  await data.change(insert, row)
}
