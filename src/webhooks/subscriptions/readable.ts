/**
 * The list of subscriptions and one subscription, in REST and GraphQL. Secrets are decrypted to be shown masked. One that
 * cannot be decrypted does not keep the others from being read.
 */
import { Type } from 'typebox'
import { completedBytes, completedText } from '../../core/completion.ts'
import { columnIs } from '../../database/read/conditions.ts'
import { readable } from '../../entity/readable.ts'
import { decryptedOrNull } from '../decrypted.ts'
import { maxOwnerBytes, shownOwner } from '../shown-owner.ts'
import { decryptHeaders, maskHeaders, maxHeaderLength, maxHeaders } from './header.ts'
import { reachOf } from './reach.ts'
import { Subscription } from './schema.ts'
import { decryptSecrets, maskSecret } from './secret.ts'

/** The maximum sizes of JSON lists: of 100 names of events with 100 characters each, and of five numbers. */
const maxEventsBytes = 11_000
const maxRetryBytes = 100

export const subscriptions = readable({
  name: 'webhookSubscription',
  plural: 'webhookSubscriptions',
  type: 'WebhookSubscription',
  label: 'subscription',
  row: Subscription,
  hidden: Type.Object({ version: Type.Integer() }), // for the `ETag`, which a change has to name
  table: 'subscription',
  path: '/api/webhooks/subscriptions',
  tag: 'Webhooks',
  access: 'webhook:read',
  isWhole: true, // a tenant has few: a request without parameters gets all, without pages
  inPortal: true, // sessions of the embedded pages, for customers of a tenant, may read it
  filters: ['id', 'url', 'customer', 'isActive', 'failingSince', 'deactivatedAt', 'createdAt', 'updatedAt'],
  sorts: [
    'customer',
    'successCount',
    'failureCount',
    'lastSuccessAt',
    'lastFailureAt',
    'failingSince',
    'updatedAt',
  ],
  reach: (context) => {
    const reach = reachOf(context)
    if (reach === 'all') return null
    return 'owner' in reach ? columnIs('owner', reach.owner) : columnIs('customer', reach.customer)
  },
  members: {
    events: { jsonBytes: maxEventsBytes },
    retrySeconds: { jsonBytes: maxRetryBytes },
    owner: { completed: shownOwner, jsonBytes: maxOwnerBytes },
    unknownEvents: {
      column: 'events',
      completed: completedText(({ shared: { eventTypes } }, lists) =>
        lists.map((events) => {
          const names: string[] = JSON.parse(events) // written from a validated list
          return names.filter((name) => !eventTypes.declared.has(name))
        }),
      ),
      jsonBytes: maxEventsBytes,
    },
    secret: {
      column: 'secrets',
      completed: completedBytes(({ shared: { secretBox } }, stored) =>
        stored.map((each) => {
          const secrets = decryptedOrNull(() => decryptSecrets(secretBox, each))
          return maskSecret(secrets?.[0]?.secret ?? '')
        }),
      ),
    },
    headers: {
      completed: completedBytes(({ shared: { secretBox } }, stored) =>
        stored.map((each) => maskHeaders(decryptedOrNull(() => decryptHeaders(secretBox, each)) ?? {})),
      ),
      jsonBytes: maxHeaders * maxHeaderLength,
    },
  },
  documents: {
    list: {
      summary: 'List subscriptions',
      description:
        'Those that you made, or as an administrator all of the tenant. Secrets and values of headers are masked.',
    },
    get: {
      summary: 'Get a subscription',
      description:
        'The secret and the values of headers are masked. Deliveries change the counters, but not the `ETag`.',
    },
  },
})
