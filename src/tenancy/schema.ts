import { type Static, Type } from 'typebox'
import { Nullable, Text, Timestamp } from '../core/schema/schema.ts'
import { AdministratorInput } from '../identity/user/schema.ts'

const id = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  description: 'Letters, digits, `.`, `_` and `-`; unique without regard to case',
  examples: ['acme'],
})
const name = Text(1, 200, { description: 'Shown to people', examples: ['Acme Ltd'] })
/** One DNS label (RFC 1035, section 2.3.4). */
const subdomain = Nullable(
  Text(1, 63, {
    pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$',
    description: 'One DNS label, unique: the first label of a host that names the tenant',
    examples: ['acme'],
  }),
)
const plan = Nullable(
  Text(0, 50, {
    description: 'Of the tenant’s contract with you; the service makes nothing of it',
    examples: ['pro'],
  }),
)
const connectionString = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'A database of its own: `postgres://…`, `sqlite:name.db` or `Host=…;Database=…;Username=…;Password=…`',
    examples: ['sqlite:acme.db'],
    writeOnly: true,
  }),
)

const isActive = { description: '`false` while it is deactivated: nobody signs in, and nothing is served' }

export const Tenant = Type.Object(
  { id, name, subdomain, plan, isActive: Type.Boolean(isActive), createdAt: Timestamp },
  { $id: 'Tenant', description: 'A customer of yours, with data and users of its own.' },
)

export const TenantInput = Type.Object(
  {
    id,
    name,
    subdomain: Type.Optional(subdomain),
    plan: Type.Optional(plan),
    connectionString: Type.Optional(connectionString),
    admin: Type.Optional(AdministratorInput),
  },
  { $id: 'TenantInput', description: 'A tenant to be created.' },
)

export const TenantUpdate = Type.Object(
  {
    name: Type.Optional(name),
    subdomain: Type.Optional(subdomain),
    plan: Type.Optional(plan),
    isActive: Type.Optional(Type.Boolean(isActive)),
    connectionString: Type.Optional(connectionString),
  },
  { $id: 'TenantUpdate', description: 'What is left out stays as it is.' },
)

export const TenantDatabase = Type.Object(
  {
    kind: Type.String({
      enum: ['shared', 'sqlite', 'postgres'],
      description: '`shared` is the database of the service, the others are the tenant’s own',
    }),
    status: Type.String({
      enum: ['pending', 'ready', 'failed'],
      description: '`pending` while it is created and migrated; `failed` is tried again when it is used',
    }),
    message: Nullable(Type.String({ description: 'Why it has failed' })),
  },
  { $id: 'TenantDatabase', description: 'Where the rows of a tenant are, and how that stands.' },
)

export type TenantInput = Static<typeof TenantInput>
export type TenantUpdate = Static<typeof TenantUpdate>
