import { type Route, route } from '../../core/feature/route.ts'
import { portalSessions } from './readable.ts'
import { CreatedPortalSession, PortalSession, PortalSessionInput } from './schema.ts'
import { createPortalSession, currentPortalSession, endPortalSession } from './session.ts'

const common = { tag: 'Webhooks', database: 'catalogue' } as const
const base = '/api/webhooks/portal-sessions'

/** @param baseUrl of the service */
export function portalRoutes(baseUrl: string): Route[] {
  return [
    route({
      ...common,
      method: 'POST',
      path: base,
      summary: 'Open the pages of webhooks for a customer',
      description:
        'The reply has the address for an iframe, which is not shown again. You can grant only what you may do ' +
        'yourself. The session ends when it expires, when it is deleted, and with the session or API key that made it.',
      access: 'webhook:portal',
      body: PortalSessionInput,
      status: 201,
      reply: CreatedPortalSession,
      secret: true,
      idempotent: true,
      handle: (context, { body }) => createPortalSession(context, body, baseUrl),
    }),
    portalSessions.list,
    route({
      ...common,
      method: 'GET',
      path: `${base}/current`,
      summary: 'Get the portal session of the caller',
      description: 'For the embedded pages themselves: callers of another kind get 404.',
      access: 'user',
      inPortal: true,
      reply: PortalSession,
      errors: ['notFound'],
      handle: currentPortalSession,
    }),
    portalSessions.get,
    route({
      ...common,
      method: 'DELETE',
      path: `${base}/:id`,
      summary: 'End a portal session',
      description: 'Effective on every instance within a second.',
      access: 'webhook:portal',
      status: 204,
      errors: ['notFound'],
      handle: (context, { path }) => endPortalSession(context, path.id),
    }),
  ]
}
