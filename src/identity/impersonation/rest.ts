import { type Route, route } from '../../core/feature/route.ts'
import type { AccessTokens } from '../session/access-token.ts'
import { impersonate } from './impersonation.ts'
import { Impersonation, ImpersonationInput } from './schema.ts'

export function impersonationRoutes(tokens: AccessTokens): Route[] {
  return [
    route({
      method: 'POST',
      path: '/api/users/:id/impersonate',
      tag: 'Users',
      database: 'catalogue',
      access: 'user:impersonate',
      summary: 'Act as a user',
      name: 'impersonateUser',
      description:
        'For administrators of the host tenant. The tenant sees it in its audit and as an event, and can forbid it ' +
        'with the setting `allowImpersonation`. The token changes no credentials, roles or other sessions.',
      body: ImpersonationInput,
      reply: Impersonation,
      errors: ['notFound'],
      secret: true,
      handle: (context, { path, body }) => impersonate(context, tokens, path.id, body),
    }),
  ]
}
