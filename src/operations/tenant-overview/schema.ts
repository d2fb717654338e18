/** The schema of a tenant as the operator of the service sees it. */
import { type Static, Type } from 'typebox'
import { Nullable, StringEnum } from '../../core/schema/schema.ts'
import { Tenant } from '../../tenancy/schema.ts'
import { DatabaseFault } from '../tenant-health/schema.ts'
import { SizeEstimate } from '../tenant-size/schema.ts'
import { UsageSummary } from '../usage/schema.ts'

const Bytes = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, description, examples: [1048576] }))
const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [2] })

const databasePlaces = ['shared', 'sqlite', 'postgres'] as const
export type DatabasePlace = (typeof databasePlaces)[number]

export const TenantOverview = Type.Object(
  {
    ...Tenant.properties,
    isBeingErased: Type.Boolean({ description: 'Whether an erasure has begun' }),
    isMoving: Type.Boolean({
      description: 'Whether a move to another database has begun and is not finished or abandoned',
    }),
    database: Nullable(
      StringEnum(databasePlaces, {
        description: 'Where its rows are; `null` if no key decrypts the connection string',
        examples: ['sqlite'],
      }),
    ),
    databaseBytes: Bytes(
      'The size of its own database; `null` in the shared one, and for a database that is on another server',
    ),
    estimate: Nullable({
      ...SizeEstimate,
      description:
        'The size of its rows in the shared database, by estimate; `null` until it is measured, and for a tenant with its own database',
    }),
    fileBytes: Bytes(
      'The size of its files; `null` for a tenant with its own database, which has this count',
    ),
    usage: UsageSummary,
    databaseFault: DatabaseFault,
    users: Count('Users, also those that are not active'),
    failingSubscriptions: Count('Webhook subscriptions whose last attempt has failed'),
    deactivatedSubscriptions: Count('Subscriptions that the service has deactivated'),
  },
  { $id: 'TenantOverview', description: 'A tenant as the operator of the service sees it.' },
)

export type TenantOverview = Static<typeof TenantOverview>
