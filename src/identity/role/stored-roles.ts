/**
 * Finds out, before a new version of an application starts, which roles of tenants lose permissions because the
 * application no longer declares them.
 */
import type { ApplicationRoles, PermissionSet, Permissions } from '../../core/permission.ts'
import type { InstallationData } from '../../database/data.ts'
import { rolePageOfAll } from './sql.ts'

const pageSize = 500

interface Declared {
  permissions: Permissions
  applicationRoles: ApplicationRoles
}

/**
 * A sentence for each role that loses something. The database may be of an earlier version.
 * @param unreadBy what a role with the permissions does not read any more; `null` for nothing
 */
export async function* rolesThatLose(
  installation: InstallationData,
  declared: Declared,
  unreadBy: UnreadBy,
): AsyncGenerator<string> {
  for (let [tenantId, key] = ['', '']; ; ) {
    const page = await rolePageOfAll(installation, { tenantId, key, limit: pageSize })
    for (const row of page) {
      const subject = `The role ${row.name} of the tenant ${row.tenant_id}`
      for (const loss of lossesOf(row, declared, unreadBy)) yield `${subject} ${loss}`
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    ;[tenantId, key] = [last.tenant_id, last.name_key]
  }
}

type UnreadBy = (permissions: PermissionSet) => string | null
type StoredRole = Awaited<ReturnType<typeof rolePageOfAll>>[number]

/** @returns the ends of sentences that begin with the role */
function* lossesOf(
  { tenant_id: tenantId, name_key: key, permissions: stored }: StoredRole,
  { permissions, applicationRoles }: Declared,
  unreadBy: UnreadBy,
): Generator<string> {
  const names: string[] = JSON.parse(stored)
  const gone = names.filter((name) => !permissions.existsIn(tenantId, name))
  if (gone.length > 0) yield `loses what does not exist any more: ${gone.join(', ')}.`
  const ofApplication = applicationRoles.get(key)?.permissions ?? []
  const lacking = ofApplication.filter(
    (name) => permissions.existsIn(tenantId, name) && !names.includes(name),
  )
  if (lacking.length > 0)
    yield `is used in place of that of the application, and lacks: ${lacking.join(', ')}.`
  const unread = unreadBy(new Set(names))
  if (unread !== null) yield unread
}
