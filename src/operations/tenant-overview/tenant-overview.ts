/** Lists the tenants with the place and size of their rows, their users, their usage and their failing webhooks. */
import { type Context, now } from '../../core/context.ts'
import { CannotDecrypt } from '../../core/encryption/secret-box.ts'
import type { Page, PageRequest } from '../../core/page.ts'
import { registry } from '../../core/tenant/directory.ts'
import { readTenantPage } from '../../core/tenant/page.ts'
import { databaseSizes } from '../../database/postgres/database-size.ts'
import { type DatabaseTarget, postgresAddress } from '../../database/target.ts'
import { readFileUsage } from '../rows/file-usage.ts'
import { storedTarget } from '../tenant-database.ts'
import type { TenantHealth } from '../tenant-health/tenant-health.ts'
import { bytesOf, type TenantSizes } from '../tenant-size/tenant-sizes.ts'
import type { UsageOfPeriod, UsageSummary } from '../usage/schema.ts'
import { readUsage } from '../usage/usage.ts'
import type { TenantOverview } from './schema.ts'
import { type OverviewRow, overviewPage } from './sql.ts'

export interface OverviewParts {
  health: TenantHealth
  sizes: TenantSizes
}

/**
 * In the order of their ids.
 * @throws ServiceError `invalid` for a foreign cursor; StatementTimedOut, DatabaseUnavailable
 */
export async function listTenantOverview(
  context: Context,
  parts: OverviewParts,
  request: PageRequest,
): Promise<Page<TenantOverview>> {
  const page = await readTenantPage(registry(context), request, overviewPage)
  return { ...page, items: await describe(context, parts, page.items) }
}

async function describe(
  context: Context,
  { health, sizes: estimates }: OverviewParts,
  rows: readonly OverviewRow[],
): Promise<TenantOverview[]> {
  const targets = new Map(rows.map((row) => [row.id, targetOf(context, row)]))
  const shared = rows.filter((row) => row.connection_string === null).map(({ id }) => id)
  const files = await readFileUsage(context.shared.catalogueDatabase.executor, shared)
  const sizes = await sizesOf(context, targets)
  const ids = rows.map(({ id }) => id)
  const usage = await readUsage(registry(context), ids, { kind: 'day', moment: now(context) })
  const failures = new Map(
    (await health.list(context.shared.tenantDatabases.faults())).map((each) => [each.tenantId, each]),
  )
  const inShared = (id: string): ByDatabase => ({
    database: 'shared',
    databaseFault: null,
    estimate: estimates.estimate(context, id),
    fileBytes: files.get(id) ?? 0,
  })
  const inOwn = (id: string): ByDatabase => ({
    database: targets.get(id)?.kind ?? null,
    databaseFault: failures.get(id)?.databaseFault ?? null,
    estimate: null,
    fileBytes: null,
  })
  return rows.map((row) => {
    const isShared = row.connection_string === null
    const failing = failures.get(row.id)
    return {
      id: row.id,
      name: row.name,
      subdomain: row.subdomain,
      plan: row.plan,
      isActive: row.is_active,
      createdAt: row.created_at,
      isBeingErased: row.erasing_since !== null,
      isMoving: row.moving !== null,
      ...(isShared ? inShared(row.id) : inOwn(row.id)),
      databaseBytes: sizes.get(row.id) ?? null,
      users: Number(row.users),
      failingSubscriptions: failing?.failingSubscriptions ?? 0,
      deactivatedSubscriptions: failing?.deactivatedSubscriptions ?? 0,
      usage: summaryOf(usage.get(row.id) ?? []),
    }
  })
}

/** The members that depend on whether the rows of the tenant are in the shared database. */
type ByDatabase = Pick<TenantOverview, 'database' | 'databaseFault' | 'estimate' | 'fileBytes'>

function summaryOf(days: readonly UsageOfPeriod[]): UsageSummary {
  const sum = (name: 'requests' | 'errors' | 'signIns') => days.reduce((total, day) => total + day[name], 0)
  return {
    requests: sum('requests'),
    errors: sum('errors'),
    signIns: sum('signIns'),
    requestsByDay: days.map(({ requests }) => requests),
  }
}

/** @returns `null` for the shared database, and for one whose connection string cannot be read */
function targetOf(context: Context, { connection_string: encrypted }: OverviewRow): DatabaseTarget | null {
  if (encrypted === null) return null
  try {
    return storedTarget(context, encrypted)
  } catch (error) {
    if (error instanceof CannotDecrypt) return null
    throw error
  }
}

/**
 * Reads the sizes of database files, and of databases on the server of the service. Databases on other servers are left
 * out, because each would need a connection.
 */
async function sizesOf(
  context: Context,
  targets: ReadonlyMap<string, DatabaseTarget | null>,
): Promise<Map<string, number>> {
  const { sharedTarget } = context.shared.tenantDatabases
  const server = sharedTarget.kind === 'postgres' ? serverOf(sharedTarget.url).server : null
  const sizes = new Map<string, number>()
  const names = new Map<string, string>()
  for (const [id, target] of targets) {
    if (target?.kind === 'sqlite') sizes.set(id, bytesOf(target.path) + bytesOf(`${target.path}-wal`))
    if (target?.kind !== 'postgres') continue
    const place = serverOf(target.url)
    if (place.server === server) names.set(id, place.database)
  }
  const bytes = await databaseSizes(registry(context).executor, [...new Set(names.values())])
  for (const [id, name] of names) {
    const size = bytes.get(name)
    if (size !== undefined) sizes.set(id, size)
  }
  return sizes
}

function serverOf(url: string): { server: string; database: string } {
  const [host, port, database] = JSON.parse(postgresAddress(url)) as [string, number, string] // as `postgresAddress` writes them
  return { server: `${host}:${port}`, database }
}
