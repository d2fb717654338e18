/** The schemas of stored values of subscriptions. The import of an archive validates its rows with them. */
import { type TSchema, Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { inputReader } from '../../core/schema/input.ts'
import { Nullable } from '../../core/schema/schema.ts'
import { Count, JsonText, StoredMoment } from '../../core/schema/stored.ts'
import { readHeaders } from './header.ts'
import { Secret, SubscriptionInput } from './schema.ts'
import { maxLiveSecrets } from './secret.ts'

const { url, events, headers, retrySeconds } = SubscriptionInput.properties
const readHeaderInput = inputReader(headers)

/** Secrets as `rotate` stores them: the newest one has no end. */
export function StoredSecrets(secret: TSchema, max: number) {
  const stored = Type.Array(Type.Object({ secret, until: Nullable(StoredMoment) }), {
    minItems: 1,
    maxItems: max,
  })
  return JsonText(
    Type.Refine(
      stored,
      (secrets) => secrets[0]?.until === null,
      () => 'must begin with the newest',
    ),
  )
}

export const subscriptionColumns: ColumnSchemas = {
  subscription: {
    url,
    events: JsonText(events),
    secrets: StoredSecrets(Secret, maxLiveSecrets),
    // The schema is checked first, because `readHeaders` expects an object of texts. `readHeaders` then refuses names that
    // are reserved or given twice, and values that HTTP cannot send.
    headers: JsonText(headers, (text) => readHeaders(readHeaderInput(JSON.parse(text)))),
    customer: Type.String({ minLength: 1, maxLength: 100 }),
    access: Type.Enum(['user', 'admin']),
    retry_seconds: JsonText(retrySeconds),
    version: Count,
    success_count: Count,
    failure_count: Count,
    failing_days: Count,
  },
}
