import type { TenantData } from '../../database/data.ts'
import { jsonObject } from '../../database/json-object.ts'
import { type JsonPage, pageColumns } from '../../database/json-page.ts'
import { prepare } from '../../database/prepared.ts'
import type { CategoryTable } from '../../database/tenant-tables.ts'
import { Category, type StoredCategory } from './schema.ts'

type NewCategory = Omit<CategoryTable, 'tenant_id'>
type Replacement = Omit<NewCategory, 'created_at'>

const columns = ['id', 'name', 'created_at as createdAt', 'updated_at as updatedAt', 'version'] as const

const byId = prepare((tables, p: { id: string }) =>
  tables.selectFrom('category').select(columns).where('id', '=', p.id),
)

const byIdLocked = prepare((tables, p: { id: string }, dialect) => {
  const query = tables.selectFrom('category').select(columns).where('id', '=', p.id)
  return dialect === 'postgres' ? query.forUpdate() : query // SQLite has one writer anyway
})

const insert = prepare((tables, p: NewCategory) =>
  tables.insertInto('category').values({
    id: p.id,
    name: p.name,
    name_key: p.name_key,
    created_at: p.created_at,
    updated_at: p.updated_at,
    version: p.version,
  }),
)

const replace = prepare((tables, p: Replacement) =>
  tables
    .updateTable('category')
    .set({ name: p.name, name_key: p.name_key, updated_at: p.updated_at, version: p.version })
    .where('id', '=', p.id),
)

const remove = prepare((tables, p: { id: string }) => tables.deleteFrom('category').where('id', '=', p.id))

const page = prepare((tables, p: { after: string; limit: number }, dialect) => {
  const rows = tables
    .selectFrom('category')
    .select('id')
    .select(jsonObject(dialect, Category).as('json'))
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit)
  return tables.selectFrom(rows.as('page')).select(pageColumns(dialect))
})

export function findCategory(data: TenantData, id: string): Promise<StoredCategory | null> {
  return data.first(byId, { id })
}

export function findCategoryForUpdate(data: TenantData, id: string): Promise<StoredCategory | null> {
  return data.first(byIdLocked, { id })
}

export async function insertCategory(data: TenantData, category: NewCategory): Promise<void> {
  await data.change(insert, category)
}

export async function replaceCategory(data: TenantData, category: Replacement): Promise<void> {
  await data.change(replace, category)
}

export async function deleteCategoryRow(data: TenantData, id: string): Promise<void> {
  await data.change(remove, { id })
}

export function categoryPage(
  data: TenantData,
  range: { after: string; limit: number },
): Promise<JsonPage | null> {
  return data.first(page, range)
}
