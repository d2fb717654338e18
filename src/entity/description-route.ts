import { Type } from 'typebox'
import { contentTag } from '../api/http/reply/etag.ts'
import { LanguageQuery, languageAskedFor, replyIn } from '../api/http/reply/language.ts'
import type { Context } from '../core/context.ts'
import { type ActionDescription, EntityDescription } from '../core/feature/entity-description.ts'
import { type Route, route } from '../core/feature/route.ts'
import { hasAccess, noPermission, type PermissionSet } from '../core/permission.ts'
import { readableHints } from './console/readable-hints.ts'
import { readableTo } from './readable-description.ts'

/** The route with the descriptions of all entities, as far as the caller may use them. */
export const descriptionRoute: Route = route({
  method: 'GET',
  path: '/api/entities',
  summary: 'Describe the entities',
  name: 'listEntities',
  description:
    'What a program needs to show and change rows that it does not know in advance: fields, operations, actions and their permissions, names in the language asked for, and hints of how to show them. Lists the entities whose rows the caller may read, with the fields that the caller reads and the operations that the caller may use.',
  tag: 'Entities',
  access: 'user',
  database: 'catalogue',
  query: LanguageQuery,
  byLanguage: true,
  reply: Type.Array(EntityDescription),
  headers: ['etag'],
  bounded: 'The service and the application define a fixed number of entities.',
  handle: async (context, input) => {
    const language = languageAskedFor(input, context.shared.languages)
    const entities = readableIn(context, language)
    return replyIn(language, entities, { etag: contentTag(JSON.stringify(entities)) })
  },
})

function readableIn({ actor, shared }: Context, language: string): EntityDescription[] {
  const permissions = actor?.permissions ?? noPermission
  const readable = shared.entities
    .map((describe) => allowedTo(permissions, describe(language)))
    .map((entity) => readableTo(permissions, entity, shared.fieldRules.get(entity.name)))
    .filter(({ operations }) => operations.list !== undefined)
  const byName = new Map(
    readable.flatMap((entity) => [[entity.name, entity] as const, [entity.plural, entity] as const]),
  )
  return readable.map((entity) => readableHints(entity, byName))
}

/** Leaves out the operations for which the caller has no permission. */
function allowedTo(permissions: PermissionSet, entity: EntityDescription): EntityDescription {
  const isAllowed = ({ access }: Pick<ActionDescription, 'access'>) => hasAccess(permissions, access)
  const operations = Object.entries(entity.operations).filter(([, each]) => isAllowed(each))
  return { ...entity, operations: Object.fromEntries(operations), actions: entity.actions.filter(isAllowed) }
}
