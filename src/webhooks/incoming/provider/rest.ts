import { preconditionOf, validatorsOf } from '../../../api/http/reply/condition.ts'
import { Reply, type Route, route } from '../../../core/feature/route.ts'
import { deleteProvider, setProvider } from './provider.ts'
import { providers } from './readable.ts'
import { Provider, ProviderInput } from './schema.ts'

const writing = { tag: 'Incoming webhooks', access: 'webhookProvider:write' } as const
const base = '/api/webhooks/providers'

export const providerRoutes: Route[] = [
  providers.list,
  providers.get,
  route({
    ...writing,
    method: 'PUT',
    path: `${base}/:provider`,
    summary: 'Accept webhooks of a provider, or change how',
    name: 'setWebhookProvider',
    description:
      'With a new secret, the former one is accepted as well until the overlap ends. ' +
      'The name is not case-sensitive. A tenant has at most 50 providers.',
    body: ProviderInput,
    reply: Provider,
    headers: ['last-modified'],
    conditional: true,
    handle: async (context, { path, body, headers }) =>
      tagged(
        await setProvider(context, path.provider, {
          input: body,
          precondition: preconditionOf(headers),
        }),
      ),
  }),
  route({
    ...writing,
    method: 'DELETE',
    path: `${base}/:provider`,
    summary: 'Stop accepting webhooks of a provider',
    description: 'Its receipts stay in the log.',
    status: 204,
    errors: ['notFound'],
    conditional: true,
    handle: (context, { path, headers }) => deleteProvider(context, path.provider, preconditionOf(headers)),
  }),
]

function tagged(provider: Provider): Reply {
  return new Reply(provider, validatorsOf({ updatedAt: provider.updatedAt }))
}
