/** Operations on subscriptions. Users may change those that they own; administrators may change all of the tenant. */
import type { AuditAction } from '../../core/audit/action.ts'
import { recordTenantAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import type { AddressPolicy } from '../../core/outgoing/ip-address.ts'
import { findUrlFault } from '../../core/outgoing/url.ts'
import { ownerOf } from '../../core/ownership.ts'
import type { Precondition } from '../../core/precondition.ts'
import { inTransaction } from '../../core/transaction.ts'
import { decryptedOrNull } from '../decrypted.ts'
import { accessFor, refuseUnlessTrusted, sightOf } from './access.ts'
import { decryptHeaders, encryptHeaders, maskedValue, readHeaders } from './header.ts'
import { refuseTooMany } from './limit.ts'
import { customerFor, refuseForeignEvents } from './portal.ts'
import { isInReach } from './reach.ts'
import { subscriptions } from './readable.ts'
import type { SecretRotation, StoredSubscription, SubscriptionInput, SubscriptionUpdate } from './schema.ts'
import { decryptSecrets, encryptSecrets, newSecret, rotate } from './secret.ts'
import {
  deleteSubscriptionRow,
  findSubscription,
  findSubscriptionForUpdate,
  insertSubscription,
  lockEvents,
  replaceSubscription,
  type SubscriptionRow,
} from './sql.ts'

const defaultOverlapHours = 24

/**
 * Requires that the actor may change the subscription.
 * @returns its id
 * @throws ServiceError `notFound`, `forbidden`
 */
export async function requireTrusted(context: Context, id: string): Promise<string> {
  const sight = await sightOf(context)
  const row = inReach(context, await findSubscription(context.data, id))
  refuseUnlessTrusted(context, row, sight)
  return row.id
}

/**
 * @returns the subscription with its secret, which is not shown again
 * @throws ServiceError `invalid` for an address or a header that is refused, or when the tenant has too many
 *   subscriptions; `forbidden` for an event that the actor may not see
 */
export async function createSubscription(
  context: Context,
  input: SubscriptionInput,
  policy: AddressPolicy,
): Promise<StoredSubscription> {
  requireUrl(input.url, policy)
  const sight = await sightOf(context)
  const access = accessFor(context, input.events, { sight, before: null })
  refuseForeignEvents(context, input.events)
  const headers = readHeaders(input.headers ?? {})
  return inTransaction(context, async (inside) => {
    await lockEvents(inside.data)
    await refuseTooMany(inside)
    const { secretBox } = inside.shared
    const moment = now(context)
    const secret = input.secret ?? newSecret()
    const row: SubscriptionRow = {
      id: newId(),
      url: input.url,
      events: JSON.stringify(input.events),
      owner: ownerOf(context.actor),
      access,
      customer: customerFor(context, input.customer, null),
      secrets: encryptSecrets(secretBox, [{ secret, until: null }]),
      headers: encryptHeaders(secretBox, headers),
      retry_seconds: jsonOrNull(input.retrySeconds),
      is_active: true,
      created_at: moment,
      updated_at: moment,
      version: 1,
      success_count: 0,
      failure_count: 0,
      last_success_at: null,
      last_failure_at: null,
      ...healthy,
    }
    await insertSubscription(inside.data, row)
    await audit(inside, 'subscription.created', row, { receiver: originOf(row), events: input.events })
    return { ...(await subscriptions.show(inside, row.id)), secret }
  })
}

/**
 * Omitted members stay unchanged. `isActive` pauses and resumes. Resuming also clears a deactivation by the
 * service. A caller who names the events becomes the owner, which also resumes a subscription that was deactivated
 * because of its former owner.
 * @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` and `forbidden` as on creation; `forbidden`
 *   also for a subscription that gets events that the actor may not see
 */
export async function updateSubscription(
  context: Context,
  id: string,
  input: SubscriptionUpdate,
  { precondition, policy }: { precondition: Precondition; policy: AddressPolicy },
): Promise<StoredSubscription> {
  if (input.url !== undefined) requireUrl(input.url, policy)
  const sight = await sightOf(context)
  return inTransaction(context, async (inside) => {
    const before = await lockSubscription(inside, id, precondition)
    refuseUnlessTrusted(inside, before, sight)
    refuseForeignEvents(inside, input.events ?? [], eventsOf(before))
    if (input.events !== undefined) await lockEvents(inside.data)
    const { secretBox } = inside.shared
    const stored = decryptedOrNull(() => decryptHeaders(secretBox, before.headers))
    refuseToMoveHeaders(before, input, stored)
    const row: SubscriptionRow = {
      ...before,
      customer: customerFor(inside, input.customer, before.customer),
      url: input.url ?? before.url,
      ...(input.events !== undefined && {
        events: JSON.stringify(input.events),
        owner: ownerOf(inside.actor),
        access: accessFor(inside, input.events, { sight, before }),
      }),
      ...(input.headers !== undefined && {
        headers: encryptHeaders(secretBox, readHeaders(input.headers, stored ?? {})),
      }),
      ...(input.retrySeconds !== undefined && { retry_seconds: jsonOrNull(input.retrySeconds) }),
      ...activityAfter(before, input),
      updated_at: now(context),
      version: before.version + 1,
    }
    await replaceSubscription(inside.data, row)
    if (row.is_active && !before.is_active) wakeAfterCommit(inside)
    await audit(inside, 'subscription.updated', row, { receiver: originOf(row), changed: Object.keys(input) })
    return subscriptions.show(inside, id)
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`; `forbidden` as for a change */
export async function deleteSubscription(
  context: Context,
  id: string,
  precondition: Precondition,
): Promise<void> {
  const sight = await sightOf(context)
  return inTransaction(context, async (inside) => {
    const row = await lockSubscription(inside, id, precondition)
    refuseUnlessTrusted(inside, row, sight)
    await deleteSubscriptionRow(inside.data, id)
    await audit(inside, 'subscription.deleted', row, { receiver: originOf(row) })
  })
}

/**
 * The former secrets continue to sign beside the new one until the overlap ends.
 * @returns the subscription with its new secret, which is not shown again
 * @throws ServiceError `notFound`, or `invalid` when too many secrets would be live; `forbidden` as for a change
 */
export async function rotateSecret(
  context: Context,
  id: string,
  { secret: given, overlapHours = defaultOverlapHours }: SecretRotation,
): Promise<StoredSubscription> {
  const sight = await sightOf(context)
  return inTransaction(context, async (inside) => {
    const before = await lockSubscription(inside, id, null)
    refuseUnlessTrusted(inside, before, sight)
    const { secretBox, clock } = inside.shared
    const secret = given ?? newSecret()
    // Former secrets that cannot be decrypted sign nothing: the new one takes their place.
    const former = decryptedOrNull(() => decryptSecrets(secretBox, before.secrets)) ?? []
    const secrets = rotate(former, secret, { overlapHours, now: clock() })
    const row = {
      ...before,
      secrets: encryptSecrets(secretBox, secrets),
      updated_at: now(context),
      version: before.version + 1,
    }
    await replaceSubscription(inside.data, row)
    await audit(inside, 'subscription.secretRotated', row, { overlapHours })
    return { ...(await subscriptions.show(inside, row.id)), secret }
  })
}

/** @throws ServiceError `notFound`, also for a subscription that the actor does not reach */
function inReach(context: Context, row: SubscriptionRow | null): SubscriptionRow {
  if (row === null || !isInReach(context, row)) throw refusal('noSuch', { label: 'subscription' })
  return row
}

function eventsOf({ events }: SubscriptionRow): string[] {
  return JSON.parse(events) as string[] // written from a validated list
}

/** A caller who names the events, and so becomes the owner, resumes a subscription that had lost its owner. */
function activityAfter(before: SubscriptionRow, { events, isActive }: SubscriptionUpdate) {
  const reason = before.deactivation_reason
  const hasNewOwner = events !== undefined && (reason === 'ownerGone' || reason === 'forbidden')
  const after = isActive ?? (hasNewOwner || before.is_active)
  return { is_active: after, ...(after && !before.is_active && healthy) }
}

const healthy = {
  failing_since: null,
  failing_days: 0,
  warned_at: null,
  deactivated_at: null,
  deactivation_reason: null,
}

/**
 * Values of headers are never shown: a user who does not know them must not be able to send them elsewhere.
 * @param stored `null` for headers that cannot be decrypted, until a missing master key is added again
 */
function refuseToMoveHeaders(
  before: SubscriptionRow,
  { url, headers }: SubscriptionUpdate,
  stored: Record<string, string> | null,
): void {
  if (url === undefined || new URL(url).origin === originOf(before)) return
  if (stored !== null && Object.keys(stored).length === 0) return
  if (headers === undefined || Object.values(headers).includes(maskedValue)) {
    throw invalidField('headers', 'must be given again, with their values, for another host', 'notPossible')
  }
}

function requireUrl(url: string, policy: AddressPolicy): void {
  const fault = findUrlFault(url, policy)
  if (fault !== null) throw invalidField('url', fault, 'badAddress')
}

/** Locks the subscription: until this transaction ends, no other transaction changes it. */
async function lockSubscription(
  inside: Context,
  id: string,
  precondition: Precondition,
): Promise<SubscriptionRow> {
  const row = inReach(inside, await findSubscriptionForUpdate(inside.data, id))
  precondition?.({ version: row.version, updatedAt: row.updated_at })
  return row
}

/** Deliveries that waited during the pause can be sent. The queue scans the database: it knew them as not due. */
function wakeAfterCommit({ shared, tenant, tenantDatabase, transaction }: Context): void {
  transaction?.afterCommit(() => shared.wakeQueues(tenant.id, tenantDatabase, true))
}

function jsonOrNull(value: readonly number[] | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

/** Paths and queries of receivers are often secrets. */
function originOf({ url }: SubscriptionRow): string {
  return new URL(url).origin
}

function audit(
  inside: Context,
  action: AuditAction,
  { id }: SubscriptionRow,
  detail: Record<string, unknown>,
): Promise<void> {
  const { id: tenantId } = inside.tenant
  return recordTenantAudit(inside, { action, tenantId, subjectType: 'subscription', subjectId: id, detail })
}
