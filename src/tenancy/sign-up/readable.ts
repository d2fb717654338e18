/** The list of sign-ups that wait for approval, in REST and GraphQL, for the host tenant. */
import { now } from '../../core/context.ts'
import { comparing, having } from '../../database/read/conditions.ts'
import { readable } from '../../entity/readable.ts'
import { requireHost } from './reach.ts'
import { SignUp } from './schema.ts'

/** The members to filter and sort by. No index serves them, because few sign-ups wait at a time. */
const compared = ['tenantName', 'userName', 'email', 'firstName', 'lastName', 'verifiedAt', 'expiresAt']

export const waitingSignUps = readable({
  name: 'signUp',
  plural: 'signUps',
  type: 'SignUp',
  label: 'sign-up',
  row: SignUp,
  table: 'sign_up',
  path: '/api/sign-ups',
  tag: 'Sign-up',
  access: 'sign-up:read',
  isOfInstallation: true,
  isWhole: true, // all that wait, without `limit` and `cursor`
  reach: (context, { entity: model }) => {
    requireHost(context)
    const isVerified = having(model, 'verifiedAt')
    return { kind: 'and', parts: [isVerified, comparing(model, 'expiresAt', 'gt', now(context))] }
  },
  filters: [...compared, 'subdomain', 'createdAt'],
  sorts: compared,
  documents: {
    list: {
      summary: 'List sign-ups',
      description: 'Those that wait for approval, in the order of creation. For the host tenant.',
    },
    get: { summary: 'Get a sign-up', description: 'One that waits for approval. For the host tenant.' },
  },
})
