/** What the roles of tenants lose with the permissions and the roles that an application declares now. */
import type { ApplicationRoles, Permissions } from '../../core/permission.ts'
import type { InstallationData } from '../../database/data.ts'
import { rolePageOfAll } from './sql.ts'

const pageSize = 500

/** A sentence for each role that loses something. The database may be of an earlier version. */
export async function* rolesThatLose(
  installation: InstallationData,
  { permissions, applicationRoles }: { permissions: Permissions; applicationRoles: ApplicationRoles },
): AsyncGenerator<string> {
  for (let [tenantId, key] = ['', '']; ; ) {
    const page = await rolePageOfAll(installation, { tenantId, key, limit: pageSize })
    for (const row of page) {
      const names: string[] = JSON.parse(row.permissions)
      const of = `The role ${row.name} of the tenant ${row.tenant_id}`
      const gone = names.filter((name) => !permissions.existsIn(row.tenant_id, name))
      if (gone.length > 0) yield `${of} loses what does not exist any more: ${gone.join(', ')}.`
      const lacking = applicationRoles
        .get(row.name_key)
        ?.permissions.filter((name) => permissions.existsIn(row.tenant_id, name) && !names.includes(name))
      if (lacking !== undefined && lacking.length > 0)
        yield `${of} is used in place of that of the application, and lacks: ${lacking.join(', ')}.`
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    ;[tenantId, key] = [last.tenant_id, last.name_key]
  }
}
