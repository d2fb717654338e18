/** Tries a rule: its action runs in a transaction that is always rolled back. */
import { type Context, type IncomingEvent, now, type RunnableAction } from '../../../core/context.ts'
import { webhookContext } from '../../../core/create-context.ts'
import { invalidField, ServiceError } from '../../../core/errors.ts'
import { observeEvents } from '../../../core/events/publish.ts'
import { newId } from '../../../core/id.ts'
import { openAccount } from '../../../core/limits/caller-time.ts'
import { type PresentOwner, withOwnerRights } from '../../../core/owner.ts'
import { rightsOf } from '../../../core/ownership.ts'
import { lacking } from '../../../core/permission.ts'
import { failureText } from '../../../core/queue/failure-text.ts'
import { inTransaction } from '../../../core/transaction.ts'
import { DatabaseUnavailable } from '../../../database/executor.ts'
import { verificationOf } from '../provider/provider.ts'
import { getReceivedEvent } from '../receipt/log.ts'
import { identifyEvent } from '../receive/event-key.ts'
import { getRule, matchesType, requireMayRun } from '../rule/rule.ts'
import type { StoredRule } from '../rule/schema.ts'
import { chargeRuns, refusalOf } from '../run/run.ts'
import type { DryRun, DryRunInput } from './schema.ts'

const readingReceipts = 'incomingWebhook:read'

/**
 * Nothing is written: no receipt, no run, no audit. An action of an application that reaches beyond its database
 * breaks the rules of actions, and a dry run does not undo that.
 * @throws ServiceError `notFound` for the rule or the receipt; `invalid` unless the input has either a receipt or a
 *   body; `forbidden` for an action that the actor may not run, or receipts that it may not see; `tooManyRequests`
 */
export async function dryRunRule(context: Context, id: string, input: DryRunInput): Promise<DryRun> {
  const rule = await getRule(context, id)
  requireMayRun(context, rule.action)
  const event = await eventOf(context, rule, input)
  // The caller pays for the run, as for a replay.
  chargeRuns(1, JSON.stringify(event.payload ?? null).length, () => openAccount(context))
  const report: DryRun = {
    outcome: 'UNMATCHED',
    isActive: rule.isActive,
    eventType: event.type,
    action: rule.action,
    values: null,
    error: null,
    events: [],
  }
  if (event.provider !== rule.provider.toLowerCase() || !matchesType(rule.eventType, event.type))
    return report
  const action = context.shared.actions.find(rule.action)
  if (action === null) return { ...report, outcome: 'UNHANDLED', error: 'There is no such action.' }
  const owner = await ownerOfRule(context, rule)
  const forbidden = refusalOf(action, owner)
  if (forbidden !== null) return { ...report, outcome: 'FORBIDDEN', error: forbidden }
  return { ...report, ...(await attempt(context, { action, event, owner })) }
}

function ownerOfRule({ shared, tenant }: Context, { owner }: StoredRule): Promise<PresentOwner | null> {
  const owned = { tenantId: tenant.id, owner }
  return withOwnerRights(shared, async (rights) => {
    rights.require([owned])
    return rights.of(owned)
  })
}

type Outcome = Pick<DryRun, 'outcome' | 'values' | 'error' | 'events'>

/** Thrown to roll back the transaction of an action that has succeeded. */
class RolledBack extends Error {}

interface Attempted {
  action: RunnableAction
  event: IncomingEvent
  owner: PresentOwner | null
}

async function attempt(context: Context, { action, event, owner }: Attempted): Promise<Outcome> {
  const events: DryRun['events'] = []
  const onEvent = (type: string, data: object) => {
    if (context.shared.eventTypes.isVisible(type, rightsOf(context.actor))) events.push({ type, data })
  }
  let values: unknown = null
  try {
    values = action.read(event.payload)
    await inTransaction(context, async (inside) => {
      observeEvents(inside, onEvent)
      // The events of the action count the tried webhook as the first of its chain.
      await action.run(webhookContext(inside, { hops: 1, origin: event.receiptId }, owner), event)
      throw new RolledBack()
    })
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    if (!(error instanceof RolledBack))
      return { outcome: 'FAILED', values, error: reasonOf(context, error), events: [] }
  }
  return { outcome: 'SUCCEEDED', values, error: null, events }
}

function reasonOf({ shared, requestId }: Context, error: unknown): string {
  if (!(error instanceof ServiceError))
    shared.log.warn({ err: error, requestId }, 'dry run of an action failed')
  return failureText(error) ?? `The action failed. The log has the cause under the request ${requestId}.`
}

async function eventOf(
  context: Context,
  rule: StoredRule,
  { receiptId, body, eventType }: DryRunInput,
): Promise<IncomingEvent> {
  if ((receiptId === undefined) === (body === undefined))
    throw invalidField('body', 'give either a sample body or receiptId', 'notPossible')
  if (receiptId !== undefined) {
    if (context.actor?.permissions.has(readingReceipts) !== true) throw lacking(readingReceipts)
    return getReceivedEvent(context, receiptId)
  }
  // The rule may name a provider that does not exist yet.
  const scheme = (await verificationOf(context, rule.provider))?.scheme ?? 'stripe'
  const bytes = Buffer.from(JSON.stringify(body))
  const { id, type } = identifyEvent(scheme, { headers: {}, body: bytes, payload: body })
  const provider = rule.provider.toLowerCase()
  return {
    receiptId: newId(),
    provider,
    id,
    type: eventType ?? type,
    payload: body,
    receivedAt: now(context),
  }
}
