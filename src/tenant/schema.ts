import { type Static, Type } from 'typebox'
import { Nullable, Text, Timestamp } from '../schema.ts'
import { AdministratorInput } from '../user/schema.ts'

const id = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
  description: 'Letters, digits, `.`, `_` and `-`; unique without regard to case',
  examples: ['acme'],
})
const name = Text(1, 200, { examples: ['Acme Ltd'] })
/** One DNS label (RFC 1035, section 2.3.4). */
const subdomain = Nullable(
  Text(1, 63, { pattern: '^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$', examples: ['acme'] }),
)
const plan = Nullable(Text(0, 50, { examples: ['pro'] }))
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

export const Tenant = Type.Object(
  { id, name, subdomain, plan, isActive: Type.Boolean(), createdAt: Timestamp },
  { $id: 'Tenant' },
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
  { $id: 'TenantInput' },
)

export const TenantUpdate = Type.Object(
  {
    name: Type.Optional(name),
    subdomain: Type.Optional(subdomain),
    plan: Type.Optional(plan),
    isActive: Type.Optional(Type.Boolean()),
    connectionString: Type.Optional(connectionString),
  },
  { $id: 'TenantUpdate', description: 'What is left out stays as it is.' },
)

export const TenantDatabase = Type.Object(
  {
    kind: Type.String({ enum: ['shared', 'sqlite', 'postgres'] }),
    status: Type.String({ enum: ['pending', 'ready', 'failed'] }),
    message: Nullable(Type.String()),
  },
  { $id: 'TenantDatabase' },
)

export type TenantInput = Static<typeof TenantInput>
export type TenantUpdate = Static<typeof TenantUpdate>
