import { type Route, route } from '../../core/feature/route.ts'
import { createApiKey, revokeApiKey } from './api-key.ts'
import { apiKeys } from './readable.ts'
import { ApiKeyInput, CreatedApiKey } from './schema.ts'

const common = { tag: 'API keys', database: 'catalogue' } as const
const base = '/api/api-keys'

export const apiKeyRoutes: Route[] = [
  apiKeys.list,
  apiKeys.get,
  route({
    ...common,
    method: 'POST',
    path: base,
    summary: 'Create an API key',
    description:
      'The reply has the key, which is not shown again. You can grant only permissions that you have. ' +
      'An API key cannot create others.',
    access: 'apiKey:write',
    body: ApiKeyInput,
    status: 201,
    reply: CreatedApiKey,
    idempotent: true,
    secret: true,
    handle: (context, { body }) => createApiKey(context, body),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${base}/:id`,
    summary: 'Revoke an API key',
    description:
      'Effective on every instance within a second, also for open subscriptions. A key that may do what you may not is refused (403).',
    access: 'apiKey:write',
    status: 204,
    errors: ['notFound'],
    handle: (context, { path }) => revokeApiKey(context, path.id),
  }),
]
