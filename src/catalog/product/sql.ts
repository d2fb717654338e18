import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { TenantData } from '../../database/data.ts'
import type { Dialect, TimeAllowance } from '../../database/executor.ts'
import { jsonObject } from '../../database/json-object.ts'
import { type JsonPage, pageColumns } from '../../database/json-page.ts'
import { prepare } from '../../database/prepared.ts'
import { scanAll, withinTime } from '../../database/scan.ts'
import type { TenantTables } from '../../database/tenant-tables.ts'
import { product } from './product.ts'
import { ProductSummary } from './schema.ts'

export interface ProductPageRange {
  after: string
  limit: number
}

const active = preparePage<ProductPageRange>(product.schemas.row, () => sql<SqlBool>`is_active`)
const found = preparePage<ProductPageRange & { term: string }>(ProductSummary, (p, dialect) =>
  dialect === 'sqlite'
    ? sql<SqlBool>`instr(search_name, ${p.term}) > 0`
    : sql<SqlBool>`search_name like ${p.term}`,
)

/** A trigram index serves LIKE, but not `strpos`. */
function patternOf(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
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
  shape: TSchema,
  filter: (parameters: P, dialect: Dialect) => RawBuilder<SqlBool>,
) {
  return prepare((tables: Kysely<TenantTables>, p: P, dialect) => {
    const rows = tables
      .selectFrom('product')
      .select('id')
      .select(jsonObject(dialect, shape).as('json'))
      .where('id', '>', p.after)
      .where(withinTime(dialect, 'product.tenant_id', filter(p, dialect)))
      .orderBy('id')
      .limit(p.limit)
    return tables.selectFrom(rows.as('page')).select(pageColumns(dialect))
  })
}
