/** Sends the dead letters of many tenants again, one tenant after the other. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, hostTenantId, now } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { decodeCursor, encodeCursor } from '../../core/page.ts'
import { lookUpTenant } from '../../core/tenant/directory.ts'
import { withTenant } from '../../core/tenant/each-tenant.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { DatabaseUnavailable } from '../../database/executor.ts'
import { replayDeadLettersOf } from '../../webhooks/outgoing/dead-letter/replay.ts'
import type { DeadLetters } from './dead-letters.ts'
import type { DeadLetterReplay, ReplayReport } from './schema.ts'

/** Per request, so that it ends before clients time out. */
export const maxReplayed = 10_000
const maxMs = 5000
const tenantsPerPage = 100
const maxFailures = 100

/**
 * @throws ServiceError `forbidden` outside of the host; `notFound` for a tenant; `invalid` for a foreign cursor, and for a
 *   subscription without its tenant
 */
export async function replayDeadLetters(
  context: Context,
  deadLetters: DeadLetters,
  request: DeadLetterReplay,
): Promise<ReplayReport> {
  const { actor } = context
  if (actor?.tenantId !== hostTenantId) throw new ServiceError('forbidden')
  const { tenantId, subscriptionId, cursor } = request
  if (subscriptionId !== undefined && tenantId === undefined)
    throw invalidField('tenantId', 'is required with subscriptionId')
  if (tenantId !== undefined && (await lookUpTenant(context, tenantId)) === null)
    throw new ServiceError('notFound', 'There is no such tenant.')
  const place = cursor === undefined ? await beginReplay(context, request) : readCursor(cursor)
  const replay = new Replay(context, actor, {
    ...place,
    ...(subscriptionId !== undefined && { subscriptionId }),
  })
  if (tenantId !== undefined) await replay.visit([tenantId])
  else
    for (;;) {
      const page = await deadLetters.tenants(replay.after, tenantsPerPage)
      if (!(await replay.visit(page)) || page.length < tenantsPerPage) break
    }
  return replay.report
}

interface Place {
  /** What died later is not sent again: it may have been sent by this replay. */
  until: string
  /** The last tenant that is done. */
  after: string
}

class Replay {
  after: string
  readonly report: ReplayReport = { deliveries: 0, tenants: 0, failures: [], next: null }
  readonly #context: Context
  readonly #actor: Actor
  readonly #given: Place & { subscriptionId?: string }
  readonly #endMs = performance.now() + maxMs

  constructor(context: Context, actor: Actor, given: Place & { subscriptionId?: string }) {
    this.#context = context
    this.#actor = actor
    this.#given = given
    this.after = given.after
  }

  /** @returns whether the replay may go on */
  async visit(tenants: readonly string[]): Promise<boolean> {
    for (const id of tenants) {
      const isDone = await this.#replay(id)
      if (!isDone) {
        this.report.next = encodeCursor(`${this.#given.until}/${this.after}`)
        return false
      }
      this.after = id
    }
    return true
  }

  async #replay(id: string): Promise<boolean> {
    const { report } = this
    if (report.deliveries >= maxReplayed || performance.now() > this.#endMs) return false
    const tenant = await lookUpTenant(this.#context, id)
    if (tenant === null) return true
    if (!tenant.isActive || tenant.isBeingErased) return this.#fail(tenant.id, 'The tenant is deactivated.')
    const { after: _after, ...given } = this.#given
    const { id: actorId, userName } = this.#actor
    try {
      const { deliveries, isDone } = await withTenant(this.#context, tenant, (inside) =>
        replayDeadLettersOf(inside, {
          ...given,
          limit: maxReplayed - report.deliveries,
          endMs: this.#endMs,
          actor: { id: actorId, userName },
        }),
      )
      report.deliveries += deliveries
      if (deliveries > 0) report.tenants++
      return isDone
    } catch (error) {
      const isAway = error instanceof ServiceError && error.kind === 'unavailable'
      if (isAway || error instanceof DatabaseUnavailable) return this.#fail(tenant.id, error.message)
      throw error
    }
  }

  #fail(tenantId: string, message: string): true {
    if (this.report.failures.length < maxFailures) this.report.failures.push({ tenantId, message })
    return true
  }
}

/** The audit of the host has the request; that of each tenant has what was sent again. */
async function beginReplay(context: Context, { tenantId, subscriptionId }: DeadLetterReplay): Promise<Place> {
  await inCatalogue(context, (inside) =>
    recordAudit(inside, {
      action: 'deadLetters.replayRequested',
      tenantId: hostTenantId,
      subjectType: tenantId === undefined ? 'installation' : 'tenant',
      subjectId: tenantId ?? null,
      detail: subscriptionId === undefined ? {} : { subscriptionId },
    }),
  )
  return { until: now(context), after: '' }
}

const cursorPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\/([^\0]*)$/

function readCursor(cursor: string): Place {
  const text = decodeCursor(cursor, (given) => {
    const [, moment = ''] = cursorPattern.exec(given) ?? []
    return !Number.isNaN(Date.parse(moment))
  })
  const [, until = '', after = ''] = cursorPattern.exec(text) ?? []
  return { until, after }
}
