/** Conditions on the deliveries of the log, in the form that its indexes serve. */
import type { TenantData } from '../../../database/data.ts'
import { requiredBy } from '../../../database/read/conditions.ts'
import type { Filter, MatchingRows } from '../../../database/read/filter.ts'
import { columnField } from '../../../database/read/read-model.ts'
import { queueKeyRange } from '../queue/key.ts'
import { isUndelivered, waits } from './sql.ts'

const subscriptionId = columnField('subscription_id', 'uuid')
const eventType = columnField('event_type', 'text')

export function ofSubscriptions(ids: readonly string[]): Filter {
  const [only] = ids
  if (only === undefined) return { kind: 'or', parts: [] }
  // SQLite uses the index of subscriptions for an equality, but not for a list.
  if (ids.length === 1) return { kind: 'compare', field: subscriptionId, operator: 'eq', value: only }
  return { kind: 'in', field: subscriptionId, values: ids }
}

export function ofTypes(types: readonly string[]): Filter {
  return { kind: 'in', field: eventType, values: types }
}

export function withoutTypes(types: readonly string[]): Filter {
  return { kind: 'not', part: ofTypes(types) }
}

const undelivered: ReadonlySet<unknown> = new Set(['DEAD', 'KEPT'])
const waiting: ReadonlySet<unknown> = new Set(['PENDING', 'SENDING'])

/** @returns conditions that follow from the statuses in the filter, and that a partial index serves */
export function indexBounds({ tenantId }: TenantData, { entity, filter }: MatchingRows): Filter[] {
  const required = requiredBy(filter)
  const statuses = valuesOf('status', required)
  if (statuses.length === 0) return []
  if (statuses.every((status) => undelivered.has(status))) return [isUndelivered]
  if (!statuses.every((status) => waiting.has(status))) return []
  const [only, ...others] = valuesOf('subscription_id', required)
  const { from, to } = queueKeyRange(tenantId, others.length === 0 ? only : undefined)
  return [waits(entity, from, to)]
}

/** @returns the values that the required conditions permit for the column; none if they permit any value */
function valuesOf(column: string, required: readonly Filter[]): string[] {
  for (const part of required) {
    if (part.kind === 'in' && part.field.column === column) return part.values.map(String)
    if (part.kind === 'compare' && part.operator === 'eq' && part.field.column === column)
      return [String(part.value)]
  }
  return []
}
