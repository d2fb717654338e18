/** Limits on subscriptions. Each subscription and each different selection adds to the cost of an event. */
import type { GraphQLError } from 'graphql'
import { defaultSubscriptionLimits, type SubscriptionLimits } from '../../../core/limits/client-limits.ts'
import type { Limit } from '../../../database/limit.ts'
import { refuse } from '../error.ts'
import type { RowSubscriber } from './rendering.ts'

const initial = defaultSubscriptionLimits

export const subscriptionLimit: Limit = {
  name: 'subscriptions',
  kind: 'permits',
  bounds: {
    instance: initial.total,
    tenant: initial.tenant,
    'user, or address without a user': initial.user,
  },
  changedBy: ['subscriptionLimits'],
  beyond: 'an error `TOO_MANY_SUBSCRIPTIONS`',
  reasons: ['subscriptions', 'subscriptions of a tenant', 'subscriptions of a user'],
  metrics: ['graphql_subscribers'],
  page: 'graphql.md#connections-and-subscriptions',
}

export const selectionLimit: Limit = {
  name: 'different selections of subscriptions',
  kind: 'permits',
  bounds: { tenant: initial.tenantSelections, 'user, or address without a user': initial.userSelections },
  changedBy: ['subscriptionLimits'],
  beyond: 'an error `TOO_MANY_SUBSCRIPTIONS`',
  reasons: ['selections of a tenant', 'selections of a user'],
  page: 'graphql.md#connections-and-subscriptions',
}

type Counted = Pick<RowSubscriber, 'user' | 'shape'>

export interface Exceeded {
  reason: string
  error: GraphQLError
}

/**
 * @param total subscriptions of all tenants
 * @param present subscriptions of the tenant
 * @returns the limit that `added` would exceed; `null` if it may be added
 */
export function exceededBy(
  added: Counted,
  present: readonly Counted[],
  total: number,
  limits: SubscriptionLimits,
): Exceeded | null {
  const own = present.filter(({ user }) => user === added.user)
  if (own.length >= limits.user) return exceeded('subscriptions of a user', 'You', limits.user)
  if (isBeyond(own, added, limits.userSelections)) {
    return exceeded('selections of a user', 'You', limits.userSelections, 'different ')
  }
  if (present.length >= limits.tenant) return exceeded('subscriptions of a tenant', 'A tenant', limits.tenant)
  if (isBeyond(present, added, limits.tenantSelections)) {
    return exceeded('selections of a tenant', 'A tenant', limits.tenantSelections, 'different ')
  }
  return total >= limits.total ? exceeded('subscriptions', 'The service', limits.total) : null
}

function isBeyond(present: readonly Counted[], { shape }: Counted, max: number): boolean {
  const shapes = new Set(present.map((each) => each.shape))
  return !shapes.has(shape) && shapes.size >= max
}

function exceeded(reason: string, who: string, max: number, kind = ''): Exceeded {
  const message = `${who} may have ${max} ${kind}subscriptions at once.`
  return { reason, error: refuse('tooManySubscriptions', message) }
}
