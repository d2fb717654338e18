/** How each subscription is followed, and what triggers it: as the features declare it. */
import assert from 'node:assert/strict'
import type { EntityDescription } from '../../src/core/feature/entity-description.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { pastOf } from '../../src/entity/event.ts'
import { callOf, entitiesOf, inputOf, makeRowOf, plainFieldsOf } from '../support/entity-rows.ts'
import { EventReader } from '../support/graphql/event-reader.ts'
import { isEntityOfHost } from '../support/host-access.ts'
import { uniqueName } from '../support/service.ts'
import { entityOf, selectionOf } from './entity-queries.ts'
import type { Following, Scene } from './graphql-recipe.ts'
import { leaksIn } from './leaks.ts'

/** By the names of the fields of Subscription. */
export function followingsOf(features: readonly Feature[]): Record<string, Following> {
  const entities = entitiesOf(features)
  const fields = features.flatMap(({ graphql }) => Object.entries(graphql?.subscriptions ?? {}))
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const entity = entityOf(field, entities)
      const cause = entity && causeOf(field.event.split('.').at(-1) ?? '', entity, entities)
      if (entity === undefined || cause === undefined) return []
      const where = field.isDecided === true ? '(where: { id: { neq: null } })' : ''
      const selection = field.isDeletion === true ? '{ id }' : selectionOf(entity)
      const query = `subscription { ${name}${where} ${selection} }`
      return [[name, { query, isOfHost: isEntityOfHost(entity, features), cause }]]
    }),
  )
}

/** @param word the last of the event */
function causeOf(
  word: string,
  entity: EntityDescription,
  entities: readonly EntityDescription[],
): Following['cause'] | undefined {
  const make: Following['cause'] = (client, text) =>
    makeRowOf(client, entities, entity.name, uniqueName(text))
  if (word === 'created') return make
  const { operations, actions } = entity
  if (word === 'deleted') return deleting(make, entity)
  if (word === 'restored') return restoring(make, entity)
  const change = word === 'updated' ? operations.change : actions.find(({ name }) => pastOf(name) === word)
  if (change === undefined) return undefined
  return async (client, text) => {
    const id = await make(client, `before ${text}`)
    const input = inputOf({ fields: plainFieldsOf(entity) }, uniqueName(text), {})
    await callOf(client, change, id, word === 'updated' ? input : {})
    return id
  }
}

function deleting(
  make: Following['cause'],
  { operations: { delete: removal } }: EntityDescription,
): Following['cause'] | undefined {
  if (removal === undefined) return undefined
  return async (client, text) => {
    const id = await make(client, text)
    await callOf(client, removal, id)
    return id
  }
}

function restoring(
  make: Following['cause'],
  { operations: { create, delete: removal } }: EntityDescription,
): Following['cause'] | undefined {
  if (create === undefined || removal === undefined) return undefined
  return async (client, text) => {
    const id = await make(client, text)
    await callOf(client, removal, id)
    await callOf(client, { method: 'POST', path: `${create.path}/:id/restore` }, id)
    return id
  }
}

/** The id of an event that the victim has received, or the host. */
export async function markOf(
  { victim, service }: Scene,
  { query, isOfHost, cause }: Following,
): Promise<string> {
  const owner = isOfHost ? service.host : victim.user
  await using reader = await EventReader.open(owner, { query })
  const id = await cause(owner, victim.canary)
  const told = await reader.next()
  assert.match(JSON.stringify(told.data), new RegExp(id))
  assert.ok(told.id)
  return told.id
}

/**
 * Follows while events of the victim occur, until every follower gets one of its own.
 * @returns the faults, none if all is well
 */
export async function overhear(
  { victim, intruders, service }: Scene,
  { query, isOfHost, cause }: Following,
  who: string,
  after: string | null,
): Promise<string[]> {
  const caller = intruders[who]
  assert.ok(caller)
  if (isOfHost && caller === service.host) return []
  await using reader = await EventReader.open(caller, { query, after })
  const foreign = await cause(isOfHost ? service.host : victim.user, victim.canary)
  const refusal = who === 'nobody' ? 'AUTH_NOT_AUTHENTICATED' : isOfHost ? 'AUTH_NOT_AUTHORIZED' : null
  const own = refusal ?? (await cause(caller, 'Mine'))
  const told: string[] = []
  while (told.at(-1)?.includes(own) !== true) told.push(JSON.stringify(await reader.next()))
  const rest = await reader.inbox.nextWithin(50)
  told.push(...(rest === null || rest.event === 'complete' ? [] : [JSON.stringify(rest)]))
  return told
    .flatMap((text) => [
      ...leaksIn(text, victim).map((secret) => `shows ${secret}: ${text}`),
      ...(text.includes(foreign) ? [`shows ${foreign}: ${text}`] : []),
    ])
    .map((fault) => `${query} by ${who}: ${fault}`)
}
