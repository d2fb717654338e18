import { foldTenantId } from '../core/tenant/tenant-id.ts'
import { acceptDatabase, allowEmptyDatabase } from '../operations/replace-database.ts'
import { getTenant, getTenantDatabase } from '../tenancy/tenant.ts'
import { print, type Run, UsageError } from './command.ts'
import { prepareDatabase } from './tenant.ts'
import { withOperator } from './with-operator.ts'

/** Shows the state of a tenant's database; with a flag, decides about one that is not served. */
export const database: Run = async (config, { argument, flags }, service, { output }) => {
  if (flags.size > 1) throw new UsageError('--create-empty and --accept exclude each other.')
  return withOperator(config, service, async ({ context }) => {
    if (flags.has('create-empty')) {
      await allowEmptyDatabase(context, argument)
      const failure = await prepareDatabase(context, await getTenant(context, argument))
      const remark = failure === null ? '' : ` It is not ready yet. Each use retries. ${failure}`
      print(output, `Tenant ${argument} gets an empty database.${remark}`.trim())
    } else if (flags.has('accept')) {
      await acceptDatabase(context, argument)
      print(output, `The database that is there is the one of tenant ${argument} from now on.`)
    } else {
      const { kind, status, message } = await getTenantDatabase(context, argument)
      print(output, [`${foldTenantId(argument)}: ${kind}, ${status}.`, message].filter(Boolean).join(' '))
    }
  })
}
