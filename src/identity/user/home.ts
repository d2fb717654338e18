/** The steps of the home page that are done when there are a second user and a second administrator. */
import type { HomePart } from '../../core/feature/browsed.ts'
import { everything } from '../../database/read/filter.ts'
import { users } from './readable.ts'
import { countAccountsWithRole } from './sql.ts'

export const userHome: HomePart = {
  steps: [
    {
      kind: 'secondUser',
      access: 'user:read',
      isDone: async (context, time) => (await users.countUpTo(context, everything, { limit: 2, time })) > 1,
    },
    {
      kind: 'secondAdministrator',
      access: 'user:read',
      isOfHost: true,
      isDone: async ({ catalogue }) => (await countAccountsWithRole(catalogue, 'Admin')) > 1,
    },
  ],
}
