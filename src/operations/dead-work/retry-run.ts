/** One request to retry failed work of many tenants: its bounds, its report, and the cursor that continues it. */
import type { AuditAction } from '../../core/audit/action.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, hostTenantId, now } from '../../core/context.ts'
import { refusal, ServiceError } from '../../core/errors.ts'
import { decodeCursor, encodeCursor } from '../../core/page.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'

/** The maximum number of retried items in one request, so that it ends before clients time out. */
const maxRetried = 10_000
const maxMs = 5000
const maxFailures = 100
/** A request ends when its report has so many; the tenant that it visits last may add more. */
const maxItems = 1000

export const deactivated = 'The tenant is deactivated.'

export interface RetryRequest {
  tenantId?: string
  /** A subscription, a name of jobs or a template. */
  group?: string
  cursor?: string
}

interface Progress {
  /** Work that failed later is not retried, because this retry may be what failed. ISO 8601. */
  until: string
  /** The id of the last tenant, or mail, that is done. */
  after: string
  /** Whether tenants up to `after` have work left, because the visit to them reached its bounds. */
  needsAnotherRound: boolean
}

export interface Retried {
  count: number
  tenants: number
  items: { tenantId: string; group: string; count: number }[]
  failures: { tenantId: string; message: string }[]
  next: string | null
}

export class RetryRun {
  readonly actor: Actor
  /** The one tenant; all if absent. */
  readonly tenantId: string | undefined
  readonly until: string
  readonly endMs = performance.now() + maxMs
  after: string
  needsAnotherRound: boolean
  #count = 0
  #next: string | null = null
  readonly #items = new Map<string, Retried['items'][number]>()
  readonly #failures = new Map<string, string>()

  constructor(actor: Actor, tenantId: string | undefined, { until, after, needsAnotherRound }: Progress) {
    this.actor = actor
    this.tenantId = tenantId
    this.until = until
    this.after = after
    this.needsAnotherRound = needsAnotherRound
  }

  /** How many more items this request may retry: 0 also when its time is over or its report is full. */
  get remaining(): number {
    const isOver = this.#items.size >= maxItems || performance.now() > this.endMs
    return isOver ? 0 : maxRetried - this.#count
  }

  add(tenantId: string, group: string, count: number): void {
    const key = `${tenantId}/${group}`
    const item = this.#items.get(key) ?? { tenantId, group, count: 0 }
    item.count += count
    this.#items.set(key, item)
    this.#count += count
  }

  fail(tenantId: string, message: string): void {
    if (this.#failures.size < maxFailures) this.#failures.set(tenantId, message)
  }

  /** Ends the request: the cursor of the next one continues after what is done. */
  interrupt(): void {
    this.#next = encodeCursor(`${this.until}${this.needsAnotherRound ? '+' : ''}/${this.after}`)
  }

  get report(): Retried {
    const items = [...this.#items.values()]
    return {
      count: this.#count,
      tenants: new Set(items.map(({ tenantId }) => tenantId)).size,
      items,
      failures: [...this.#failures].map(([tenantId, message]) => ({ tenantId, message })),
      next: this.#next,
    }
  }
}

/**
 * Records the request in the audit of the host. The audit of each tenant has what was retried.
 * @param action the audited action @param detail of the audit record
 * @throws ServiceError `forbidden` outside of the host; `notFound` for a tenant; `invalid` for a foreign cursor
 */
export async function beginRetry(
  context: Context,
  { tenantId, cursor }: RetryRequest,
  { action, detail }: { action: AuditAction; detail: Record<string, unknown> },
): Promise<RetryRun> {
  const { actor } = context
  if (actor?.tenantId !== hostTenantId) throw new ServiceError('forbidden')
  const tenant = tenantId === undefined ? null : await lookUpTenant(context, tenantId)
  if (tenantId !== undefined && tenant === null) throw refusal('noSuch', { label: 'tenant' })
  const id = tenant?.id
  if (cursor !== undefined) return new RetryRun(actor, id, readCursor(cursor))
  await inCatalogue(context, (inside) =>
    recordAudit(inside, {
      action,
      tenantId: hostTenantId,
      subjectType: tenant === null ? 'installation' : 'tenant',
      subjectId: id ?? null,
      detail,
    }),
  )
  return new RetryRun(actor, id, { until: now(context), after: '', needsAnotherRound: false })
}

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(\+?)\/([^\0]*)$/

function readCursor(cursor: string): Progress {
  const text = decodeCursor(cursor, (given) => {
    const [, moment = ''] = cursorPattern.exec(given) ?? []
    return !Number.isNaN(Date.parse(moment))
  })
  const [, until = '', round = '', after = ''] = cursorPattern.exec(text) ?? []
  return { until, after, needsAnotherRound: round !== '' }
}
