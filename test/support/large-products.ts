/** Tenants with much in them, made past the service. */
import { inspect } from './database/inspect.ts'
import type { TestTenant } from './service.ts'

/** JSON makes six bytes of each. */
const controlCharacters = '\u0001'.repeat(2000)

/**
 * Adds copies of one product with a long description; each is 12 KB as JSON.
 * @param service whose database is named by `databaseUrl`
 */
export async function fillWithProducts(
  service: { config: { databaseUrl: string } },
  tenant: TestTenant,
  count: number,
): Promise<void> {
  const first = { name: 'Desk', price: 1, description: controlCharacters }
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
