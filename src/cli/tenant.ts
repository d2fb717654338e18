/** The commands that list, create and deactivate tenants. */
import type { Context, Tenant } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import { inputReader } from '../core/schema/input.ts'
import { listTenants } from '../tenancy/list.ts'
import { TenantInput } from '../tenancy/schema.ts'
import { createTenant, deactivateTenant } from '../tenancy/tenant.ts'
import { print, type Run } from './command.ts'
import { deepestReason } from './failure.ts'
import { readConnectionString, tableLines } from './terminal.ts'
import { withOperator } from './with-operator.ts'

export const list: Run = (config, _given, service, { output }) =>
  withOperator(config, service, async ({ context }) => {
    const { items } = await listTenants(context, { limit: null })
    const rows = items.map(({ id, name, subdomain, isActive, hasOwnDatabase }) => [
      ...[id, name, subdomain ?? '-', isActive ? 'active' : 'inactive'],
      hasOwnDatabase ? 'own database' : 'shared',
    ])
    for (const line of tableLines(rows, output)) print(output, line)
  })

export const create: Run = async (config, given, service, surroundings) => {
  const { output } = surroundings
  const { name, subdomain, plan, 'connection-string': connection } = given.options
  const input = inputReader(TenantInput)({
    id: given.argument,
    name,
    ...(subdomain && { subdomain }),
    ...(plan && { plan }),
    ...(connection && { connectionString: await readConnectionString(connection, surroundings) }),
  })
  return withOperator(config, service, async ({ context }) => {
    const tenant = await createTenant(context, input)
    print(output, `Tenant ${tenant.id} is created.`)
    const failure = await prepareDatabase(context, tenant)
    if (failure !== null) print(output, `Its database is not ready yet. Each use retries. ${failure}`.trim())
  })
}

export const deactivate: Run = (config, { argument }, service, { output }) =>
  withOperator(config, service, async ({ context }) => {
    await deactivateTenant(context, argument)
    print(output, `Tenant ${argument} is deactivated.`)
  })

/** Creates and migrates the tenant's own database if needed. @returns why it failed; `null` when it is ready */
export async function prepareDatabase(context: Context, tenant: Tenant): Promise<string | null> {
  try {
    const lease = await context.shared.tenantDatabases.lease(tenant)
    lease.release()
    return null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return deepestReason(error)
  }
}
