/** The schemas of how much a tenant used the service. */
import { type Static, Type } from 'typebox'
import { Timestamp } from '../../core/schema/schema.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })

const counts = {
  requests: Count('Requests over HTTP'),
  errors: Count('Of the requests, those with the status 500 or more'),
  signIns: Count('Sign-ins'),
}

export const UsageOfPeriod = Type.Object(
  { from: { ...Timestamp, description: 'When the hour or the day begins' }, ...counts },
  { $id: 'UsageOfPeriod', description: 'How much a tenant used the service within an hour or a day.' },
)

export type UsageOfPeriod = Static<typeof UsageOfPeriod>

export const TenantUsage = Type.Object(
  {
    hours: Type.Array(UsageOfPeriod, { description: 'The last 24 hours, oldest first' }),
    days: Type.Array(UsageOfPeriod, { description: 'The last 14 days in UTC, oldest first' }),
  },
  { $id: 'TenantUsage', description: 'How much a tenant uses the service.' },
)

/** The usage within a reply that describes the whole tenant. */
export const UsageSummary = Type.Object(
  {
    ...counts,
    requestsByDay: Type.Array(Count('Requests of a day'), { description: 'Oldest first' }),
  },
  { description: 'The last 14 days in UTC' },
)

export type UsageSummary = Static<typeof UsageSummary>
