/** The list of providers and one provider, in REST and GraphQL. Secrets are decrypted to be shown masked. */
import { completedBytes } from '../../../core/completion.ts'
import { readable } from '../../../entity/readable.ts'
import { decryptedOrNull } from '../../decrypted.ts'
import { Provider } from './schema.ts'
import { decryptIncoming, maskIncomingSecret } from './secrets.ts'

export const providers = readable({
  name: 'webhookProvider',
  plural: 'webhookProviders',
  label: 'provider',
  row: Provider,
  table: 'webhook_provider',
  key: { column: 'name', parameter: 'provider' },
  path: '/api/webhooks/providers',
  tag: 'Incoming webhooks',
  access: 'webhookProvider:read',
  isWhole: true, // a tenant has few: a request without parameters gets all, without pages
  filters: ['provider', 'scheme'],
  sorts: ['provider', 'scheme', 'createdAt', 'updatedAt'],
  members: {
    provider: { column: 'name' },
    secret: {
      column: 'secrets',
      completed: completedBytes(({ shared: { secretBox } }, stored) =>
        stored.map((each) => {
          const secrets = decryptedOrNull(() => decryptIncoming(secretBox, each))
          return maskIncomingSecret(secrets?.[0]?.secret ?? '')
        }),
      ),
    },
    formerSecretUntil: {
      column: 'secrets',
      completed: completedBytes(({ shared: { secretBox, clock } }, stored) => {
        const now = clock().toISOString()
        return stored.map((each) => {
          const until = decryptedOrNull(() => decryptIncoming(secretBox, each))?.[1]?.until ?? null
          return until !== null && until > now ? until : null
        })
      }),
    },
  },
  documents: {
    list: {
      summary: 'List the providers whose webhooks are accepted',
      description: 'In the order of their names. Secrets are masked.',
    },
    get: { summary: 'Get a provider', description: 'The secret is masked.' },
  },
})
