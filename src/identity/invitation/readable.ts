/** The list of invitations that can be accepted, in REST and GraphQL, without their links. */
import { maxAttributesBytes } from '../../core/attributes.ts'
import { now } from '../../core/context.ts'
import { comparing } from '../../database/read/conditions.ts'
import { wordList } from '../../database/read/word-list.ts'
import { readable } from '../../entity/readable.ts'
import { declaredAttributes } from '../user/attributes.ts'
import { maxRolesBytes } from '../user/schema.ts'
import { Invitation } from './schema.ts'

/** The members to filter and sort by. No index serves them, because a tenant has few invitations. */
const compared = ['email', 'invitedBy', 'expiresAt']

export const invitations = readable({
  name: 'invitation',
  plural: 'invitations',
  label: 'invitation',
  row: Invitation,
  table: 'invitation',
  path: '/api/invitations',
  tag: 'Users',
  access: 'invitation:read',
  isInCatalogue: true,
  isWhole: true, // without parameters, a request gets all: a tenant has few invitations
  // Expired invitations are not there for anybody. The next invitation removes them.
  reach: (context, { entity: model }) => comparing(model, 'expiresAt', 'gt', now(context)),
  filters: [...compared, 'createdAt'],
  sorts: compared,
  members: {
    roles: { jsonBytes: maxRolesBytes, derived: wordList('roles') },
    attributes: { jsonBytes: maxAttributesBytes, completed: declaredAttributes },
    invitedBy: { column: 'invited_by_name' },
  },
  documents: {
    list: {
      summary: 'List invitations',
      description: 'Those that can be accepted, in the order of creation, without their links.',
    },
    get: { summary: 'Get an invitation', description: 'One that can be accepted, without its link.' },
  },
})
