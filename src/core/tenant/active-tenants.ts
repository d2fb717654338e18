import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context, Tenant } from '../context.ts'
import { foldTenantId } from './directory.ts'
import { tenantPage } from './sql.ts'

const pageSize = 200

/** Active tenants, page by page. */
export async function* activeTenants(context: Context): AsyncGenerator<Tenant> {
  for (let after = ''; ; ) {
    const page = await tenantPage(context.catalogue, after, pageSize)
    yield* page.filter(({ isActive }) => isActive)
    const last = page.at(-1)
    if (last === undefined) return
    after = foldTenantId(last.id)
    await nextTurn() // on SQLite queries do not yield to other work
  }
}
