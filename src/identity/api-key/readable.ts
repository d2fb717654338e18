/**
 * The list of API keys and one key, in REST and GraphQL. Keys cannot be shown,
 * because only their digests are stored.
 */
import { maxAttributesBytes } from '../../core/attributes.ts'
import { completedText } from '../../core/completion.ts'
import { readable } from '../../entity/readable.ts'
import { permissionsOf } from '../role/grant.ts'
import { maxPermissionsBytes } from '../role/schema.ts'
import { declaredAttributes } from '../user/attributes.ts'
import { ApiKey, maxNetworksBytes } from './schema.ts'

const declaredPermissions = completedText(({ shared, catalogueTenantId: tenant_id }, texts) =>
  texts.map((text) => permissionsOf({ permissions: text ?? '[]', tenant_id }, shared.permissions)),
)

/** The members to filter and sort by. No index serves them, because a tenant has few keys. */
const compared = ['name', 'prefix', 'actsFor', 'expiresAt', 'lastUsedAt']

export const apiKeys = readable({
  name: 'apiKey',
  plural: 'apiKeys',
  label: 'API key',
  row: ApiKey,
  table: 'api_key',
  path: '/api/api-keys',
  tag: 'API keys',
  access: 'apiKey:read',
  isInCatalogue: true,
  isWhole: true, // without parameters, a request gets all: a tenant has few keys
  filters: [...compared, 'createdAt'],
  sorts: compared,
  members: {
    permissions: { jsonBytes: maxPermissionsBytes, completed: declaredPermissions },
    attributes: { jsonBytes: maxAttributesBytes, completed: declaredAttributes },
    allowedNetworks: { jsonBytes: maxNetworksBytes },
  },
  documents: {
    list: {
      summary: 'List API keys',
      description: 'In the order of creation, without their secrets.',
    },
    get: { summary: 'Get an API key', description: 'Without its secret.' },
  },
})
