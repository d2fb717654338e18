/** The schema of what waits and what has failed in a tenant. */
import { type Static, Type } from 'typebox'
import { Nullable, StringEnum } from '../../core/schema/schema.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [2] })

const faults = ['missing', 'foreign', 'stale', 'damaged', 'failed'] as const

export const DatabaseFault = Nullable(
  StringEnum(faults, {
    description:
      'What was wrong with its own database when this instance last tried to open it, as in the state of the database; `null` for nothing',
    examples: ['missing'],
  }),
)

export const HealthOfTenant = Type.Object(
  {
    tenantId: Type.String({ description: 'The tenant', examples: ['acme'] }),
    failingSubscriptions: Count('Webhook subscriptions whose last attempt has failed'),
    deactivatedSubscriptions: Count('Subscriptions that the service has deactivated'),
    deadDeliveries: Count('Deliveries whose last attempt failed and that can be recovered'),
    waitingDeliveries: Count('Deliveries that wait to be sent, or are being sent'),
    deadJobs: Count('Jobs that failed for good'),
    waitingJobs: Count('Jobs that wait or run'),
    deadMails: Count('Mails that were not sent'),
    waitingMails: Count('Mails that wait to be sent'),
    databaseFault: DatabaseFault,
  },
  {
    $id: 'HealthOfTenant',
    description: 'What waits and what has failed in a tenant, and whether its database is served.',
  },
)

export type HealthOfTenant = Static<typeof HealthOfTenant>

export const figures = [
  'failingSubscriptions',
  'deactivatedSubscriptions',
  'deadDeliveries',
  'waitingDeliveries',
  'deadJobs',
  'waitingJobs',
  'deadMails',
  'waitingMails',
] as const satisfies readonly (keyof HealthOfTenant)[]
