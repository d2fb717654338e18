import { Type } from 'typebox'
import { type ActionDescription, EntityDescription } from '../core/feature/entity-description.ts'
import { type Route, route } from '../core/feature/route.ts'
import { isPermission, noPermission, type PermissionSet } from '../core/permission.ts'
import { readableTo } from './readable-description.ts'

export const descriptionRoute: Route = route({
  method: 'GET',
  path: '/api/entities',
  summary: 'Describe the entities',
  name: 'listEntities',
  description:
    'What a program needs to show and change rows that it does not know in advance: fields, operations, actions and their permissions. Lists the entities whose rows the caller may read, with the fields that the caller reads and the operations that the caller may use.',
  tag: 'Entities',
  access: 'user',
  database: 'catalogue',
  status: 200,
  reply: Type.Array(EntityDescription),
  bounded: 'The service and the application define them.',
  handle: async (context) => {
    const permissions = context.actor?.permissions ?? noPermission
    return context.shared.entities
      .map((describe) => allowedTo(permissions, describe()))
      .map((entity) => readableTo(permissions, entity, context.shared.fieldRules.get(entity.name)))
      .filter(({ operations }) => operations.list !== undefined)
  },
})

/** With the operations of these permissions only. */
function allowedTo(permissions: PermissionSet, entity: EntityDescription): EntityDescription {
  const isAllowed = ({ access }: Pick<ActionDescription, 'access'>) =>
    !isPermission(access) || permissions.has(access)
  const operations = Object.entries(entity.operations).filter(([, each]) => isAllowed(each))
  return { ...entity, operations: Object.fromEntries(operations), actions: entity.actions.filter(isAllowed) }
}
