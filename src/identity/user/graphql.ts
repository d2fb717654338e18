import type { GraphQLPart } from '../../core/feature/field.ts'
import { users } from './readable.ts'
import { User } from './schema.ts'
import { signedIn } from './signed-in.ts'
import { getUser } from './user.ts'

export const userGraphQL: GraphQLPart = {
  queries: {
    ...users.graphql.queries,
    me: {
      kind: 'object',
      type: User,
      description: 'The signed-in user.',
      read: async (context) => getUser(context, signedIn(context).id),
    },
  },
}
