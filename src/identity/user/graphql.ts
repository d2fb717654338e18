import { unauthorized } from '../../core/errors.ts'
import type { GraphQLPart } from '../../core/feature/field.ts'
import { User } from './schema.ts'
import { getUser } from './user.ts'

export const userGraphQL: GraphQLPart = {
  queries: {
    me: {
      kind: 'object',
      type: User,
      description: 'The signed-in user.',
      read: async (context) => {
        if (context.actor === null) throw unauthorized('none')
        return getUser(context, context.actor.id)
      },
    },
  },
}
