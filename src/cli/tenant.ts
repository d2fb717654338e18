import { inputReader } from '../core/schema/input.ts'
import { TenantInput } from '../tenancy/schema.ts'
import { createTenant, deactivateTenant, listTenants } from '../tenancy/tenant.ts'
import { print, type Run } from './command.ts'
import { tableLines } from './output.ts'
import { readConnectionString } from './secret.ts'
import { prepareDatabase } from './tenant-database.ts'
import { withOperator } from './with-operator.ts'

export const list: Run = (config, _given, service) =>
  withOperator(config, service, async ({ context }) => {
    const { items } = await listTenants(context, { limit: null })
    const rows = items.map(({ id, name, subdomain, isActive, hasOwnDatabase }) => [
      ...[id, name, subdomain ?? '-', isActive ? 'active' : 'inactive'],
      hasOwnDatabase ? 'own database' : 'shared',
    ])
    for (const line of tableLines(rows, process.stdout)) print(line)
  })

export const create: Run = async (config, given, service) => {
  const { name, subdomain, plan, 'connection-string': connection } = given.options
  const input = inputReader(TenantInput)({
    id: given.argument,
    name,
    ...(subdomain && { subdomain }),
    ...(plan && { plan }),
    ...(connection && { connectionString: await readConnectionString(connection) }),
  })
  return withOperator(config, service, async ({ context }) => {
    const tenant = await createTenant(context, input)
    print(`Tenant ${tenant.id} is created.`)
    const failure = await prepareDatabase(context, tenant)
    if (failure !== null) print(`Its database is not ready yet, and is tried again on use. ${failure}`.trim())
  })
}

export const deactivate: Run = (config, { argument }, service) =>
  withOperator(config, service, async ({ context }) => {
    await deactivateTenant(context, argument)
    print(`Tenant ${argument} is deactivated.`)
  })
