/**
 * The list of open portal sessions, in REST and GraphQL. A session is open until it expires, as long as the login
 * session or the API key that made it is open. Addresses are not shown, because they contain the token.
 */
import { now } from '../../core/context.ts'
import { comparing } from '../../database/read/conditions.ts'
import { readable } from '../../entity/readable.ts'
import { madeByLive } from '../../identity/maker.ts'
import { maxEventsBytes, maxOriginsBytes, PortalSession } from './schema.ts'

/** The members to filter and sort by. No index serves them, because a tenant has few open sessions. */
const compared = ['customer', 'readOnly', 'expiresAt']

export const portalSessions = readable({
  name: 'portalSession',
  plural: 'portalSessions',
  label: 'portal session',
  row: PortalSession,
  table: 'portal_session',
  path: '/api/webhooks/portal-sessions',
  tag: 'Webhooks',
  access: 'webhook:portal',
  isInCatalogue: true,
  isNewestFirst: true,
  reach: (context, { entity: model }) => {
    const moment = now(context)
    return { kind: 'and', parts: [comparing(model, 'expiresAt', 'gt', moment), madeByLive(moment)] }
  },
  filters: [...compared, 'createdAt'],
  sorts: compared,
  members: {
    events: { jsonBytes: maxEventsBytes },
    readOnly: { column: 'is_read_only' },
    origins: { jsonBytes: maxOriginsBytes },
  },
  documents: {
    list: {
      summary: 'List portal sessions',
      description: 'Those that are open, newest first. Their addresses are not shown again.',
    },
    get: {
      summary: 'Get a portal session',
      description: 'One that is open. Its address is not shown again.',
    },
  },
})
