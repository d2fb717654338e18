/** Creates the first user of a service. */
import { type Context, hostTenantId, type Shared } from '../../core/context.ts'
import { reaching } from '../../core/create-context.ts'
import { refusal } from '../../core/errors.ts'
import { installation } from '../../core/installation.ts'
import { lockHost } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { shareAnswer } from '../../database/shared-answer.ts'
import type { AdministratorInput, User } from '../user/schema.ts'
import { addUser, countUsers, hashPasswordOf, hasUsers } from '../user/user.ts'
import type { InitializationStatus } from './schema.ts'
import { type SetupSettings, setupTokenOf } from './setup-token.ts'

export async function getInitializationStatus(
  context: Context,
  settings: SetupSettings,
): Promise<InitializationStatus> {
  const needsInitialization = !(await hasUsers(context))
  const userCount = needsInitialization ? 0 : await sharedUserCount(context)
  const message = needsInitialization
    ? 'There is no user yet. Create the first administrator with POST /api/init/first-admin.'
    : 'The service is initialized.'
  const needsSetupToken = needsInitialization && setupTokenOf(context.shared, settings) !== null
  return { needsInitialization, needsSetupToken, userCount, message }
}

/** A count above zero is cached, because counting for anonymous callers reads an index of all users. */
const countMaxAgeMs = 1000
const counters = new WeakMap<Shared, () => Promise<number>>()

/** Counts with the connections of the service, because callers of many tenants share the count. */
function sharedUserCount({ shared }: Context): Promise<number> {
  let count = counters.get(shared)
  if (count === undefined) {
    count = shareAnswer(() => countUsers(shared.catalogueDatabase.executor), countMaxAgeMs)
    counters.set(shared, count)
  }
  return count()
}

/** Exactly one of several simultaneous calls succeeds. @throws ServiceError `invalid` when users exist */
export async function createFirstAdmin(context: Context, input: AdministratorInput): Promise<User> {
  await refuseIfInitialized(context)
  const hashed = await hashPasswordOf(context, { ...input, roles: ['Admin'] })
  return inCatalogue(context, async (inside) => {
    await lockHost(inside)
    await refuseIfInitialized(inside)
    const first = installation(inside, 'the first user is the host’s')
    return addUser(reaching(inside, first, hostTenantId), hashed)
  })
}

async function refuseIfInitialized(context: Context): Promise<void> {
  if (await hasUsers(context)) {
    throw refusal('alreadyInitialized')
  }
}
