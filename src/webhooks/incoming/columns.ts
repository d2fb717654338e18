/** The schemas of stored values of incoming webhooks. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Count, JsonText } from '../../core/schema/stored.ts'
import { StoredSecrets } from '../subscriptions/columns.ts'
import { Provider, providerPattern, Secret } from './provider/schema.ts'
import { maxSecrets } from './provider/secrets.ts'
import { maxEventIdLength, maxEventTypeLength, ReceiptWithRuns, runStatuses } from './receipt/schema.ts'
import { RuleInput } from './rule/schema.ts'

const { provider, eventType, action } = RuleInput.properties
const { scheme, toleranceSeconds } = Provider.properties
const { status, headers } = ReceiptWithRuns.properties
const providerName = Type.String({ pattern: providerPattern })

export const incomingColumns: ColumnSchemas = {
  webhook_provider: {
    name: providerName,
    scheme,
    secrets: StoredSecrets(Secret, maxSecrets),
    tolerance_seconds: toleranceSeconds,
  },
  webhook_rule: { provider, provider_key: providerName, event_type: eventType, action },
  webhook_receipt: {
    provider: providerName,
    event_id: Type.String({ maxLength: maxEventIdLength }),
    event_type: Type.String({ maxLength: maxEventTypeLength }),
    status,
    hops: Count,
    scheme,
    secret_place: Count,
    headers: JsonText(headers),
  },
  webhook_run: { action, status: Type.Enum(runStatuses), attempts: Count },
}
