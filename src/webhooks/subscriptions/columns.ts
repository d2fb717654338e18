import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { SubscriptionInput } from './schema.ts'

const { url, events, retrySeconds } = SubscriptionInput.properties

export const subscriptionColumns: ColumnSchemas = {
  subscription: {
    url,
    events: JsonText(events),
    customer: Type.String({ minLength: 1, maxLength: 100 }),
    access: Type.Enum(['user', 'admin']),
    retry_seconds: JsonText(retrySeconds),
    version: Count,
    success_count: Count,
    failure_count: Count,
    failing_days: Count,
  },
}
