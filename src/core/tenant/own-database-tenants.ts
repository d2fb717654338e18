import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context, Tenant } from '../context.ts'
import { foldTenantId } from './directory.ts'
import { tenantPage } from './sql.ts'

const pageSize = 200

/** Active tenants whose rows are in a database of their own, page by page. */
export async function* tenantsWithOwnDatabase(context: Context): AsyncGenerator<Tenant> {
  for (let after = ''; ; ) {
    const page = await tenantPage(context.catalogue, after, pageSize)
    yield* page.filter(({ isActive, hasOwnDatabase }) => isActive && hasOwnDatabase)
    const last = page.at(-1)
    if (last === undefined) return
    after = foldTenantId(last.id)
    await nextTurn() // on SQLite nothing else waits for anything
  }
}
