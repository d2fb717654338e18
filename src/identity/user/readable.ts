/** The list of users and one user: of a tenant (`users`), and for administrators of the host of all (`everybody`). */
import { isHostAdmin } from '../../core/actor.ts'
import { maxAttributesBytes } from '../../core/attributes.ts'
import { ServiceError } from '../../core/errors.ts'
import { everything } from '../../database/read/filter.ts'
import { wordList } from '../../database/read/word-list.ts'
import { readable } from '../../entity/readable.ts'
import { declaredAttributes } from './attributes.ts'
import { maxRolesBytes, OtherTenant, User } from './schema.ts'

/** The members to filter and sort by. */
const compared = ['userName', 'email', 'firstName', 'lastName', 'phoneNumber', 'isActive']

const options = {
  name: 'user',
  plural: 'users',
  label: 'user',
  row: User,
  table: 'account',
  path: '/api/users',
  tag: 'Users',
  access: 'user:read',
  isInCatalogue: true,
  isWhole: true, // without parameters, a request gets all users
  // The filters have no index, because a tenant has few users. A time-out ends a read that takes long.
  filters: ['id', ...compared, 'createdAt'],
  search: ['userName', 'email', 'firstName', 'lastName'],
  sorts: compared,
  members: {
    roles: { jsonBytes: maxRolesBytes, derived: wordList('roles') },
    attributes: { jsonBytes: maxAttributesBytes, completed: declaredAttributes },
  },
  /** The route selects the tenant by this parameter: it adds no condition to the filter. */
  parameters: { tenantId: { schema: OtherTenant, takesMe: false, read: () => everything } },
  documents: {
    list: {
      summary: 'List users',
      description:
        'An administrator of the host tenant sees the users of all tenants. Any other administrator sees those of its own tenant.',
    },
    get: {
      summary: 'Get a user',
      description: 'An administrator of another tenant than the host finds only users of its own tenant.',
    },
  },
} as const

export const users = readable(options)

/** Users of all tenants. */
export const everybody = readable({
  ...options,
  isOfInstallation: true,
  reach: ({ actor }) => {
    if (!isHostAdmin(actor)) throw new ServiceError('forbidden')
    return null
  },
})
