/** A tenant with secrets, and callers of other tenants. */
import type { Feature } from '../../src/core/feature/feature.ts'
import { enqueueFor, newWork, workFeature } from '../jobs/work-feature.ts'
import { greet, greetingFeature } from '../mail/mail-feature.ts'
import type { DatabaseName } from '../support/databases.ts'
import { newProduct, orderOf } from '../support/orders.ts'
import { startService } from '../support/service.ts'
import { newVictim } from '../support/victim.ts'
import type { Scene } from './graphql-recipe.ts'
import { recipesFor } from './graphql-recipes.ts'
import { followingsOf } from './graphql-subscriptions.ts'
import { hostEntity } from './host-entity.ts'

export async function startWithTargets(database: DatabaseName, features: Feature[] = []): Promise<Scene> {
  const own = [...features, ...hostEntity, workFeature(newWork()), greetingFeature]
  const service = await startService(database, {}, { features: own })
  const victim = await newVictim(service)
  victim.names.job = await enqueueFor(service, victim.id, 1, {
    key: victim.canary,
    at: new Date('2999-01-01'),
  })
  victim.names.mail = await greet(service, victim.id, `${victim.canary}@acme.example`)
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
  const built = service.service.features
  return { service, victim, targets, intruders, recipes: recipesFor(built), followings: followingsOf(built) }
}
