import { type Static, Type } from 'typebox'
import { DisplayName, Nullable, Text, Timestamp } from '../core/schema/schema.ts'
import { maxTenantIdLength, tenantIdPattern } from '../core/tenant/tenant-id.ts'
import { AdministratorInput } from '../identity/user/schema.ts'

const id = Type.String({
  minLength: 1,
  maxLength: maxTenantIdLength,
  pattern: tenantIdPattern,
  description: 'Letters, digits, `.`, `_` and `-`; unique, ignoring case',
  examples: ['acme'],
})
const name = DisplayName(200, { description: 'Display name', examples: ['Acme Ltd'] })
/** Names in replies: earlier versions have accepted more names than `DisplayName` does. */
const storedName = Text(1, 200, { description: 'Display name', examples: ['Acme Ltd'] })
/** One DNS label (RFC 1035, section 2.3.4). */
const subdomain = Nullable(
  Text(1, 63, {
    pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$',
    description: 'One DNS label, unique. It is the first label of the host name of the tenant',
    examples: ['acme'],
  }),
)
const plan = Nullable(
  Text(0, 50, {
    description: 'The subscription plan of the tenant. The service does not interpret it',
    examples: ['pro'],
  }),
)
export const connectionString = Nullable(
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description:
      'The tenant’s own database: `postgres://…`, `sqlite:name.db` or `Host=…;Database=…;Username=…;Password=…`',
    examples: ['sqlite:acme.db'],
    writeOnly: true,
  }),
)

const isActive = {
  description:
    '`false` while the tenant is deactivated: its users cannot sign in, and its data is not served',
}

export const Tenant = Type.Object(
  { id, name: storedName, subdomain, plan, isActive: Type.Boolean(isActive), createdAt: Timestamp },
  { $id: 'Tenant', description: 'A customer with its own data and users.' },
)

export const SearchParameter = Type.Optional(
  Type.String({
    maxLength: 200,
    description: 'Up to 8 words that must all occur in `id` or `name`, ignoring case; more are refused',
    examples: ['acme'],
  }),
)

/** A page of the console shows as many rows, and reads the tenants of all these rows in one request. */
const maxIds = 100

export const IdsParameter = Type.Optional(
  Type.String({
    maxLength: maxIds * (maxTenantIdLength + 1),
    pattern: `^[^,]+(,[^,]+){0,${maxIds - 1}}$`,
    description: `Up to ${maxIds} ids, separated by commas: the tenants that have one of them`,
    examples: ['acme,globex'],
  }),
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
  { $id: 'TenantInput', description: 'A new tenant.' },
)

export const TenantUpdate = Type.Object(
  {
    name: Type.Optional(name),
    subdomain: Type.Optional(subdomain),
    plan: Type.Optional(plan),
    isActive: Type.Optional(Type.Boolean(isActive)),
    connectionString: Type.Optional(connectionString),
  },
  { $id: 'TenantUpdate', description: 'Omitted members stay unchanged.' },
)

export const TenantDatabase = Type.Object(
  {
    kind: Type.String({
      enum: ['shared', 'sqlite', 'postgres'],
      description: '`shared` is the database of the service. The others are a database of the tenant’s own',
    }),
    status: Type.String({
      enum: ['pending', 'ready', 'failed', 'missing', 'foreign', 'stale', 'damaged'],
      description:
        '`pending` while the database is created and migrated. A `failed` one cannot be reached or prepared, and is retried on each use. One that is `missing`, `foreign` (another database is in its place), `stale` (an older copy is) or `damaged` is not served until somebody puts it back, and is never created again by itself',
    }),
    message: Nullable(Type.String({ description: 'The reason of a failure' })),
    isMoving: Type.Boolean({
      description: 'Whether a move to another database has begun and is not finished or abandoned',
    }),
  },
  { $id: 'TenantDatabase', description: 'The database of a tenant, and its state.' },
)

export type TenantDatabase = Static<typeof TenantDatabase>
export type TenantInput = Static<typeof TenantInput>
export type TenantUpdate = Static<typeof TenantUpdate>
