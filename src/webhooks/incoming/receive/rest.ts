import { Type } from 'typebox'
import { type Route, route } from '../../../core/feature/route.ts'
import { Uuid } from '../../../core/schema/schema.ts'
import { receive } from './receive.ts'

const Received = Type.Object(
  {
    received: Type.Boolean({ description: 'It is verified and stored', examples: [true] }),
    id: { ...Uuid, description: 'Of the receipt; the same one for the same event' },
    challenge: Type.Optional(Type.String({ description: 'For Slack, which asks for it once' })),
  },
  { $id: 'WebhookReceived', description: 'A webhook was received.' },
)

export function receiveRoute(limitBytes: number, retrySeconds: readonly number[]): Route {
  return route({
    tag: 'Incoming webhooks',
    access: 'public',
    method: 'POST',
    path: '/api/webhooks/receive/:provider',
    summary: 'Receive a webhook of a provider',
    description:
      'Needs no token: the signature says from whom it is. The tenant is named in the address that the provider is ' +
      'given, with `?tenant=` or a subdomain. The same event is answered with 200 again and does nothing more.',
    parameterTexts: { provider: 'Who sends it, as configured for the tenant; case does not matter' },
    rawBody: { limitBytes, description: 'As the provider sends it; what is signed are its bytes' },
    status: 200,
    reply: Received,
    errors: ['invalid', 'tooManyRequests'],
    handle: (context, { path, headers, bytes }) =>
      receive(context, { provider: path['provider'] ?? '', headers, body: bytes }, retrySeconds),
  })
}
