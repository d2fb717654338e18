/** Products written directly to the database, for tests that need very many. */
import { newId } from '../../src/core/id.ts'
import { TenantData } from '../../src/database/data.ts'
import { inspect } from './database/inspect.ts'
import type { TestService, TestTenant } from './service.ts'

/** SQLite takes 32 766 parameters in one statement, and a row has ten. */
const rowsPerStatement = 1000

/** As many have one time of creation, however fast the machine is. */
const rowsPerMillisecond = 50

/** @returns the ids, in the order of creation */
export async function insertProducts(
  { service }: TestService,
  tenantId: string,
  names: readonly string[],
): Promise<string[]> {
  const { shared } = await service.operator()
  const endMs = Date.now()
  const rows = names.map((name, index) =>
    toRow(name, index, endMs - Math.ceil((names.length - index) / rowsPerMillisecond)),
  )
  await shared.catalogueDatabase.transaction(async (transaction) => {
    const data = new TenantData(tenantId, transaction)
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const some = rows.slice(start, start + rowsPerStatement)
      await data.kysely.insertInto('product').values(some).execute()
    }
  })
  return rows.map(({ id }) => id)
}

function toRow(name: string, index: number, createdMs: number) {
  const moment = new Date(createdMs).toISOString()
  return {
    id: newId(),
    name,
    search_name: name.toLowerCase(),
    description: index % 3 === 0 ? `The one of place ${index}` : null,
    price: index / 100,
    is_active: index % 2 === 0,
    category_id: null,
    created_at: moment,
    updated_at: moment,
    version: 1,
  }
}

/** Each takes six bytes in JSON. */
const controlCharacters = '\u0001'.repeat(2000)

/**
 * Adds copies of one product; with the usual description, each is 12 KB as JSON.
 * @param service whose database is named by `databaseUrl`
 */
export async function fillWithProducts(
  service: { config: { databaseUrl: string } },
  tenant: TestTenant,
  count: number,
  description: string = controlCharacters,
): Promise<void> {
  const first = { name: 'Desk', price: 1, description }
  const made = await tenant.user.post('/api/products', first)
  if (made.status !== 201) throw new Error(made.text)
  const url = service.config.databaseUrl
  const isSqlite = url.startsWith('sqlite:')
  const numbers = isSqlite
    ? `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1}) SELECT i FROM n) AS n`
    : `generate_series(1, ${count - 1}) AS n(i)`
  const own: Record<string, string> = {
    id: isSqlite
      ? `substr('${made.body.id}', 1, 24) || printf('%012x', i)`
      : `cast(substr('${made.body.id}', 1, 24) || lpad(to_hex(i), 12, '0') AS uuid)`,
    name: "'Desk ' || i",
    search_name: "'desk ' || i",
  }
  const columns = (await columnsOf(url)).map((name) => own[name] ?? `product.${name}`)
  await inspect(
    url,
    `INSERT INTO product SELECT ${columns.join(', ')} FROM product, ${numbers} WHERE product.id = '${made.body.id}'`,
  )
}

async function columnsOf(url: string): Promise<string[]> {
  const asked = url.startsWith('sqlite:')
    ? "SELECT name FROM pragma_table_info('product') ORDER BY cid"
    : "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'product' ORDER BY ordinal_position"
  return (await inspect(url, asked)).map(({ name }) => String(name))
}
