/** The very first user of a service that has none. */
import { type Context, hostTenantId } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { lockHost } from '../tenant/lookup.ts'
import { inCatalogue } from '../transaction.ts'
import type { AdministratorInput, User } from '../user/schema.ts'
import { addUser, countUsers, hashPasswordOf, hasUsers } from '../user/user.ts'

export interface InitializationStatus {
  needsInitialization: boolean
  userCount: number
  message: string
}

export async function getInitializationStatus(context: Context): Promise<InitializationStatus> {
  const userCount = await countUsers(context)
  const needsInitialization = userCount === 0
  const message = needsInitialization
    ? 'There is no user yet. Create the first administrator with POST /api/init/first-admin.'
    : 'The service is initialized.'
  return { needsInitialization, userCount, message }
}

/** Of simultaneous calls exactly one succeeds. @throws ServiceError `invalid` when there are users already */
export async function createFirstAdmin(context: Context, input: AdministratorInput): Promise<User> {
  await refuseIfInitialized(context)
  const hashed = await hashPasswordOf(context, { ...input, roles: ['Admin'] })
  return inCatalogue(context, async (inside) => {
    await lockHost(inside.catalogue)
    await refuseIfInitialized(inside)
    return addUser(inside, hostTenantId, hashed)
  })
}

async function refuseIfInitialized(context: Context): Promise<void> {
  if (await hasUsers(context)) {
    throw new ServiceError('invalid', 'The service is initialized already.')
  }
}
