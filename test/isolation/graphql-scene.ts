/** A tenant with secrets, and callers of other tenants. */
import type { Feature } from '../../src/core/feature/feature.ts'
import type { Client } from '../support/client.ts'
import type { DatabaseName } from '../support/databases.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { startService, type TestService } from '../support/service.ts'
import { newVictim, type Victim } from '../support/victim.ts'
import type { Targets } from './graphql-recipes.ts'

export interface Scene {
  service: TestService
  victim: Victim
  targets: Targets
  intruders: Record<string, Client>
}

export async function startWithTargets(database: DatabaseName, features: Feature[] = []): Promise<Scene> {
  const service = await startService(database, {}, { features })
  const victim = await newVictim(service)
  const other = await service.newTenant()
  // Rows of its own, so that there is something to be found in the wrong place.
  await other.user.post('/api/orders', orderOf([[await newProduct(other.user), 1]]))
  const intruders = {
    'a user': other.user,
    'an administrator': other.admin,
    'an administrator of the host': service.host,
    nobody: service.anonymous,
  }
  const { body } = await victim.user.post('/graphql', { query: '{ orders { pageInfo { startCursor } } }' })
  const targets = { ...victim.names, cursor: body.data.orders.pageInfo.startCursor }
  return { service, victim, targets, intruders }
}
