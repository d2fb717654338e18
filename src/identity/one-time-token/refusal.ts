/** Tells the audit of tokens that were refused. */
import { recordAudit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { isFirstTime, type TokenPurpose, tokenPurpose, wasBefore } from './one-time-token.ts'

const minuteMs = 60_000
const refused = tokenPurpose('refused', minuteMs)

/**
 * Once in a minute for each purpose and tenant: strangers can give as many wrong tokens as they like, and each is the
 * same news.
 */
export async function recordRefusal(context: Context, { name }: TokenPurpose<object>): Promise<void> {
  const minute = `${name} ${Math.floor(context.shared.clock().getTime() / minuteMs)}`
  // Most guesses cost a read, and no transaction.
  if (await wasBefore(context, refused, minute)) return
  await inCatalogue(context, async (inside) => {
    if (!(await isFirstTime(inside, refused, minute))) return
    const subject = { tenantId: inside.tenant.id, subjectType: 'token', subjectId: null }
    await recordAudit(inside, { action: 'token.refused', ...subject, detail: { purpose: name } })
  })
}
