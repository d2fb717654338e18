import { Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../../../api/http/reply/condition.ts'
import { Reply, type Route, route } from '../../../core/feature/route.ts'
import { deleteProvider, getProvider, listProviders, setProvider } from './provider.ts'
import { Provider, ProviderInput } from './schema.ts'

const common = { tag: 'Incoming webhooks' } as const
const reading = { ...common, access: 'webhookProvider:read' } as const
const writing = { ...common, access: 'webhookProvider:write' } as const
const base = '/api/webhooks/providers'

export const providerRoutes: Route[] = [
  route({
    ...reading,
    method: 'GET',
    path: base,
    summary: 'List the providers whose webhooks are accepted',
    description: 'In the order of their names. Secrets are masked.',
    status: 200,
    reply: Type.Array(Provider),
    handle: (context) => listProviders(context),
  }),
  route({
    ...reading,
    method: 'GET',
    path: `${base}/:provider`,
    summary: 'Get a provider',
    description: 'The secret is masked.',
    status: 200,
    reply: Provider,
    errors: ['notFound'],
    headers: ['last-modified'],
    handle: async (context, { path }) => tagged(await getProvider(context, path['provider'] ?? '')),
  }),
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
    status: 200,
    reply: Provider,
    headers: ['last-modified'],
    conditional: true,
    handle: async (context, { path, body, headers }) =>
      tagged(
        await setProvider(context, path['provider'] ?? '', {
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
    handle: (context, { path, headers }) =>
      deleteProvider(context, path['provider'] ?? '', preconditionOf(headers)),
  }),
]

function tagged(provider: Provider): Reply {
  return new Reply(provider, validatorsOf({ updatedAt: provider.updatedAt }))
}
