import { type Static, Type } from 'typebox'
import { AttributeChangeShape, AttributesShape } from '../../core/attributes.ts'
import { Moment, Nullable, Text, Timestamp, Uuid, withMembers } from '../../core/schema/schema.ts'
import { PermissionNames } from '../role/schema.ts'
import { shownCharacters } from './key-text.ts'

/** The most API keys of one tenant. */
export const maxApiKeys = 100
/** The most networks of one key. Each is compared with the address of a client. */
const maxNetworks = 20
/** The longest text of an IPv6 network. */
const maxNetworkLength = 49
export const maxNetworksBytes = 2 + maxNetworks * (maxNetworkLength + 3)

const name = Text(1, 100, { description: 'For whom the key is', examples: ['Nightly import'] })

const expiry = withMembers(Moment('When the key stops working; null for never'), {
  examples: ['2100-01-31T09:30:00.000Z'],
})

const allowedNetworks = Nullable(
  Type.Array(Type.String({ maxLength: maxNetworkLength, examples: ['203.0.113.0/24'] }), {
    minItems: 1,
    maxItems: maxNetworks,
    description: 'CIDR networks from which the key may be used; null for any address',
    examples: [['203.0.113.0/24']],
  }),
)

const actsFor = Nullable({
  ...Uuid,
  examples: [null],
  description:
    'The id of a user for whom the key acts: it may do what both may, reaches the rows of the user, and ends with it',
})

export const ApiKeyInput = Type.Object(
  {
    name,
    permissions: PermissionNames,
    actsFor: Type.Optional(actsFor),
    attributes: Type.Optional(AttributeChangeShape),
    expiresAt: Type.Optional(Nullable(expiry)),
    allowedNetworks: Type.Optional(allowedNetworks),
  },
  { $id: 'ApiKeyInput', description: 'A new API key.' },
)

const members = {
  id: { ...Uuid, description: 'The id of the key' },
  name,
  prefix: Type.String({
    maxLength: shownCharacters,
    description: 'The beginning of the key',
    examples: ['tnt_live_4fT9kQ'],
  }),
  permissions: PermissionNames,
  actsFor,
  attributes: AttributesShape,
  expiresAt: Nullable({ ...Timestamp, description: 'When the key stops working; null for never' }),
  allowedNetworks,
  lastUsedAt: Nullable({ ...Timestamp, description: 'The last use, to the minute; null before the first' }),
  createdAt: { ...Timestamp, description: 'When it was created' },
}

export const ApiKey = Type.Object(members, { $id: 'ApiKey', description: 'An API key of a tenant.' })

export const CreatedApiKey = Type.Object(
  {
    ...members,
    key: Type.String({
      description: 'The key, which is not shown again',
      examples: ['tnt_live_4fT9kQ0nXb2LrVw8YzAe5HdJ3mGcPs0AbCdE'],
    }),
  },
  { $id: 'CreatedApiKey', description: 'A new API key with its secret.' },
)

export type ApiKey = Static<typeof ApiKey>
export type CreatedApiKey = Static<typeof CreatedApiKey>
export type ApiKeyInput = Static<typeof ApiKeyInput>
