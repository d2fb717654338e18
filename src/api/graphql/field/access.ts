import type { Context } from '../../../core/context.ts'
import type { FieldAccess } from '../../../core/feature/field.ts'
import { refuse } from '../error.ts'

/** @throws GraphQLError */
export function refuseUnlessAllowed({ actor }: Pick<Context, 'actor'>, access: FieldAccess): void {
  if (access === 'public') return
  if (actor === null) throw refuse('notAuthenticated', 'A valid bearer token is required.')
  if (access === 'admin' && !actor.roles.includes('Admin')) {
    throw refuse('notAuthorized', 'You do not have the permission for this.')
  }
}
