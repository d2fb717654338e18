/** A request that tries work of many tenants again that failed for good: its bounds, its report, and where it goes on. */
import type { AuditAction } from '../../core/audit/action.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, hostTenantId, now } from '../../core/context.ts'
import { refusal, ServiceError } from '../../core/errors.ts'
import { decodeCursor, encodeCursor } from '../../core/page.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'

/** The most items of one request, so that it ends before clients time out. */
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

interface Place {
  /** What failed later is not tried again: it may have been by this retry. */
  until: string
  /** The last that is done. */
  after: string
  /** Whether the tenants before `after` have some left, because one visit had its share. */
  isRound: boolean
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
  isRound: boolean
  #count = 0
  #next: string | null = null
  readonly #items = new Map<string, Retried['items'][number]>()
  readonly #failures = new Map<string, string>()

  constructor(actor: Actor, tenantId: string | undefined, { until, after, isRound }: Place) {
    this.actor = actor
    this.tenantId = tenantId
    this.until = until
    this.after = after
    this.isRound = isRound
  }

  /** How many more this request may try again; 0 when it has to end. */
  get room(): number {
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

  /** The next request begins after the last that is done. */
  interrupt(): void {
    this.#next = encodeCursor(`${this.until}${this.isRound ? '+' : ''}/${this.after}`)
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
 * The audit of the host has the request; that of each tenant has what was tried again.
 * @param action of that audit @param detail of the same
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
  return new RetryRun(actor, id, { until: now(context), after: '', isRound: false })
}

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)(\+?)\/([^\0]*)$/

function readCursor(cursor: string): Place {
  const text = decodeCursor(cursor, (given) => {
    const [, moment = ''] = cursorPattern.exec(given) ?? []
    return !Number.isNaN(Date.parse(moment))
  })
  const [, until = '', round = '', after = ''] = cursorPattern.exec(text) ?? []
  return { until, after, isRound: round !== '' }
}
