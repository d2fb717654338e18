/** Records refusals in the audit, each kind at most once a minute: strangers could otherwise fill the audit. */
import { type AuditEntry, recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { isFirstTime, type TokenPurpose, tokenPurpose, wasBefore } from './one-time-token.ts'

const minuteMs = 60_000
const refused = tokenPurpose('refused', minuteMs)

/** Records at most one refusal a minute for each purpose and tenant. */
export function recordRefusal(context: Context, { name }: TokenPurpose<object>): Promise<void> {
  const detail = { purpose: name }
  const entry = { action: 'token.refused', subjectType: 'token', subjectId: null, detail } as const
  return recordOnceAMinute(context, name, entry)
}

/**
 * @param kind of the entry. It must not contain text of the caller, who could then fill the audit.
 * @param entry of the tenant of the context
 */
export async function recordOnceAMinute(
  context: Context,
  kind: string,
  entry: Omit<AuditEntry, 'tenantId'>,
): Promise<void> {
  const minute = `${kind} ${Math.floor(context.shared.clock().getTime() / minuteMs)}`
  // Most refusals cause a read, but no transaction.
  if (await wasBefore(context, refused, minute)) return
  await inCatalogue(context, async (inside) => {
    if (!(await isFirstTime(inside, refused, minute))) return
    await recordAudit(inside, { ...entry, tenantId: inside.tenant.id })
  })
}
