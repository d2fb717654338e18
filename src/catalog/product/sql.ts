import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TenantData } from '../../database/data.ts'
import type { Dialect, TimeAllowance } from '../../database/executor.ts'
import { jsonObject } from '../../database/json-object.ts'
import { type JsonPage, pageColumns } from '../../database/json-page.ts'
import { prepare } from '../../database/prepared.ts'
import { scanAll, withinTime } from '../../database/scan.ts'
import type { ProductTable, TenantTables } from '../../database/tenant-tables.ts'
import { Product, ProductSummary, type StoredProduct } from './schema.ts'

type NewProduct = Omit<ProductTable, 'tenant_id'>

const columns = [
  'id',
  'name',
  'description',
  'price',
  'is_active as isActive',
  'category_id as categoryId',
  'created_at as createdAt',
  'updated_at as updatedAt',
  'version',
] as const

const renderedById = prepare((tables, p: { id: string }, dialect) =>
  tables
    .selectFrom('product')
    .select(jsonObject(dialect, Product).as('json'))
    .select(['version', 'updated_at as updatedAt'])
    .where('id', '=', p.id),
)

const byIdLocked = prepare((tables, p: { id: string }, dialect) => {
  const query = tables.selectFrom('product').select(columns).where('id', '=', p.id)
  return dialect === 'postgres' ? query.forUpdate() : query // SQLite has one writer anyway
})

const insert = prepare((tables, p: NewProduct) =>
  tables.insertInto('product').values({
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

type Replacement = Omit<NewProduct, 'created_at'>

const replace = prepare((tables, p: Replacement) =>
  tables
    .updateTable('product')
    .set({
      name: p.name,
      search_name: p.search_name,
      description: p.description,
      price: p.price,
      is_active: p.is_active,
      category_id: p.category_id,
      updated_at: p.updated_at,
      version: p.version,
    })
    .where('id', '=', p.id),
)

const remove = prepare((tables, p: { id: string }) => tables.deleteFrom('product').where('id', '=', p.id))

export interface RenderedProduct {
  json: string
  version: number
  updatedAt: string
}

export interface ProductPageRange {
  after: string
  limit: number
}

const all = preparePage<ProductPageRange>(Product, () => null)
const active = preparePage<ProductPageRange>(Product, () => sql<SqlBool>`is_active`)
const found = preparePage<ProductPageRange & { term: string }>(ProductSummary, (p, dialect) =>
  dialect === 'sqlite'
    ? sql<SqlBool>`instr(search_name, ${p.term}) > 0`
    : sql<SqlBool>`search_name like ${p.term}`,
)

/** A trigram index serves LIKE, but not `strpos`. */
function patternOf(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** As JSON text, rendered by the database: by far the most frequent read. */
export function findRenderedProduct(data: TenantData, id: string): Promise<RenderedProduct | null> {
  return data.first(renderedById, { id })
}

export function findProductsById(data: TenantData, ids: readonly string[]): Promise<StoredProduct[]> {
  return data.kysely.selectFrom('product').select(columns).where('id', 'in', ids).execute()
}

export function findProductForUpdate(data: TenantData, id: string): Promise<StoredProduct | null> {
  return data.first(byIdLocked, { id })
}

export async function insertProduct(data: TenantData, product: NewProduct): Promise<void> {
  await data.change(insert, product)
}

export async function replaceProduct(data: TenantData, product: Replacement): Promise<void> {
  await data.change(replace, product)
}

export async function deleteProductRow(data: TenantData, id: string): Promise<void> {
  await data.change(remove, { id })
}

export function productPage(data: TenantData, range: ProductPageRange): Promise<JsonPage | null> {
  return data.first(all, range)
}

/** @param time for scanning inactive rows */
export async function activeProductPage(
  data: TenantData,
  range: ProductPageRange,
  time: TimeAllowance,
): Promise<JsonPage | null> {
  const [page] = await scanAll(data, active, { parameters: range, time })
  return page ?? null
}

/** @param term folded like the stored names @param time for scanning rows that do not match */
export async function foundProductPage(
  data: TenantData,
  term: string,
  { range, time }: { range: ProductPageRange; time: TimeAllowance },
): Promise<JsonPage | null> {
  const isPattern = data.executor.dialect === 'postgres'
  const [page] = await scanAll(data, found, {
    parameters: { ...range, term: isPattern ? patternOf(term) : term },
    time,
    reusable: !isPattern, // a plan for any term would not use the index
  })
  return page ?? null
}

function preparePage<P extends ProductPageRange>(
  shape: typeof Product | typeof ProductSummary,
  filter: (parameters: P, dialect: Dialect) => RawBuilder<SqlBool> | null,
) {
  return prepare((tables: Kysely<TenantTables>, p: P, dialect) => {
    const condition = filter(p, dialect)
    const rows = tables
      .selectFrom('product')
      .select('id')
      .select(jsonObject(dialect, shape).as('json'))
      .where('id', '>', p.after)
      .$if(
        condition !== null,
        (query) => query.where(withinTime(dialect, 'product.tenant_id', condition as RawBuilder<SqlBool>)), // not null here
      )
      .orderBy('id')
      .limit(p.limit)
    return tables.selectFrom(rows.as('page')).select(pageColumns(dialect))
  })
}
