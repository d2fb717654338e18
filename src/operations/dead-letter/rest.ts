import { Type } from 'typebox'
import { listRoute } from '../../api/http/reply/list-route.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { pageOf } from '../../core/page.ts'
import { type DeadLetters, deadLetterKey } from './dead-letters.ts'
import { replayDeadLetters } from './replay.ts'
import { DeadLetterReplay, DeadLettersOfSubscription, ReplayReport } from './schema.ts'

const common = { tag: 'Operation', database: 'catalogue' } as const

export function deadLetterRoutes(deadLetters: DeadLetters): Route[] {
  return [
    listRoute({
      ...common,
      path: '/api/dead-letters',
      summary: 'List the subscriptions with dead deliveries, of all tenants',
      name: 'listDeadLetters',
      description:
        'For the host tenant, those with the most first, at most a thousand of the shared database. The counts are up to 15 seconds old, or older if counting takes long; those in tenants’ own databases are as old as those of `GET /api/tenant-health`.',
      access: 'operation:read',
      row: DeadLettersOfSubscription,
      filters: {
        tenantId: Type.Optional(
          Type.String({ maxLength: 64, description: 'Only those of this tenant', examples: ['acme'] }),
        ),
      },
      exampleKey: '9007199254740989acme/0198c6f0-3d5a-7c31-9a57-5f0f5d5b2c11',
      errors: ['unavailable'],
      read: async (_context, { tenantId, ...request }) => {
        const all = await deadLetters.list()
        const found = tenantId === undefined ? all : all.filter((each) => each.tenantId === tenantId)
        return pageOf(found, deadLetterKey, request)
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/api/dead-letters/replay',
      summary: 'Send dead deliveries of many tenants again',
      name: 'replayDeadLetters',
      description:
        'For the host tenant. Their retry schedule begins again; those of a subscription that is not active wait. One request sends at most 10 000 again, and takes about five seconds at most; `next` in the reply continues it. The audit of each tenant has what was sent again.',
      access: 'operation:write',
      body: DeadLetterReplay,
      status: 202,
      reply: ReplayReport,
      errors: ['notFound', 'unavailable'],
      handle: (context, { body }) => replayDeadLetters(context, deadLetters, body),
    }),
  ]
}
