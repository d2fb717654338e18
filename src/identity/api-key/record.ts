import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { publish } from '../../core/events/publish.ts'
import type { ApiKeyRow } from './sql.ts'

/** Publishes the event and records the audit entry of a key, inside the transaction of the change. */
export async function recordKey(
  inside: Context,
  action: 'apiKey.created' | 'apiKey.revoked',
  { id, tenant_id: tenantId, name, prefix }: ApiKeyRow,
  detail: Record<string, unknown>,
): Promise<void> {
  await publish(inside, action, { apiKeyId: id, name }, tenantId)
  const subject = { subjectType: 'apiKey', subjectId: id }
  await recordAudit(inside, { action, tenantId, ...subject, detail: { name, prefix, ...detail } })
}
