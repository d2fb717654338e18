/** How the routes of the host about all tenants are called for those of another tenant. */
import type { Names } from '../support/names.ts'
import type { Recipe } from './recipe.ts'

const byTenant: Recipe = { path: (names) => ({ id: names.tenant }) }
const inTenant = (names: Names) => ({ tenantId: names.tenant })

/** By method and path. */
export const hostRecipes: Record<string, Recipe> = {
  'GET /api/tenants/:id/size': byTenant,
  'GET /api/tenants/:id/usage': byTenant,
  'POST /api/tenants/:id/export': byTenant,
  'POST /api/tenants/:id/move': { ...byTenant, body: () => ({ connectionString: 'sqlite:mine.db' }) },
  'POST /api/tenants/:id/move/abandon': byTenant,
  'POST /api/tenants/:id/erase': { ...byTenant, body: (names) => ({ confirm: names.tenant }) },
  'GET /api/dead-letters': { query: inTenant },
  'POST /api/dead-letters/replay': { body: inTenant },
  'GET /api/dead-jobs': { query: inTenant },
  'POST /api/dead-jobs/retry': { body: inTenant },
  'GET /api/dead-mails': { query: inTenant },
  'POST /api/dead-mails/retry': { body: inTenant },
  'GET /api/figures/history': { query: () => ({ range: '6h' }) },
}
