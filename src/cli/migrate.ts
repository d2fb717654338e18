import { ServiceError } from '../errors.ts'
import { listTenants } from '../tenant/tenant.ts'
import { print, type Run } from './command.ts'
import { prepareDatabase } from './tenant-database.ts'
import { withService } from './with-service.ts'

/** A database that fails keeps no other one from being done. @throws ServiceError when one has failed */
export const migrateAll: Run = (config) =>
  withService(config, async (context) => {
    // Opening a database migrates it, the shared one with the service itself.
    print('The shared database is up to date.')
    const { items } = await listTenants(context, { limit: null })
    const failed: string[] = []
    for (const tenant of items.filter(({ hasOwnDatabase }) => hasOwnDatabase)) {
      const failure = await prepareDatabase(context, tenant)
      if (failure !== null) failed.push(tenant.id)
      print(failure === null ? `${tenant.id}: up to date` : `${tenant.id}: failed ${failure}`.trim())
    }
    if (failed.length > 0) {
      throw new ServiceError('unavailable', `Not migrated: the databases of ${failed.join(', ')}.`)
    }
  })
