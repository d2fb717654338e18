/** Records a change of a row: publishes its event, and adds its entry to the audit. */

import { recordTenantAudit } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { publishChange } from '../core/events/publish.ts'
import { isSame, stateText } from '../core/events/state.ts'
import type { StoredRow, Values } from './row.ts'

export interface States {
  /** `null` for a new row. */
  before: StoredRow | null
  /** `null` for a deleted row. */
  after: StoredRow | null
}

interface RecordedChange {
  /** The name of the entity. */
  name: string
  /** The last word of the name of the event. */
  event: string
  /** The members in the payload of the event. */
  payload: readonly string[]
  isAudited: boolean
  /** The members whose values each event stores (`EventState`), to decide who receives it; `null` for none. */
  stateMembers: readonly string[] | null
  /** All members whose changes the audit shows. */
  members: readonly { name: string }[]
  /** The version whose values were restored, for the audit. */
  restoredFrom?: number | undefined
}

export function recordChange(
  inside: Context,
  { name, event, payload, isAudited, stateMembers, members, restoredFrom }: RecordedChange,
  { before, after }: States,
): Promise<unknown> {
  const row = after ?? before
  if (row === null) throw new Error('A change has a row before it, or after it.')
  const shown: Values = { [`${name}Id`]: row.id }
  for (const member of payload) shown[member] = row[member]
  const all = members.map((each) => each.name)
  const state = stateMembers === null ? null : stateText({ kept: stateMembers, all, before, after })
  const published = publishChange(inside, { type: `${name}.${event}`, payload: shown, state })
  if (!isAudited) return published
  return published.then(() =>
    recordAudit(inside, { name, event, members, restoredFrom, id: row.id }, { before, after }),
  )
}

interface AuditedChange extends Pick<RecordedChange, 'name' | 'event' | 'members' | 'restoredFrom'> {
  id: string
}

function recordAudit(
  inside: Context,
  { name, event, members, restoredFrom, id }: AuditedChange,
  { before, after }: States,
): Promise<void> {
  const differing = members.filter((member) => !isSame(before?.[member.name], after?.[member.name]))
  return recordTenantAudit(inside, {
    action: `${name}.${event}` as never, // an action that the entity declares
    tenantId: inside.tenant.id,
    subjectType: name,
    subjectId: id,
    detail: {
      ...(restoredFrom !== undefined && { restoredFrom }),
      ...Object.fromEntries(
        differing.map((member) => [
          member.name,
          { before: clipped(before?.[member.name]), after: clipped(after?.[member.name]) },
        ]),
      ),
    },
  })
}

/** The limit of a text in the audit. */
const maxAuditCharacters = 500

function clipped(value: unknown): unknown {
  if (typeof value === 'string' && value.length > maxAuditCharacters)
    return `${value.slice(0, maxAuditCharacters).toWellFormed()}…`
  const text = JSON.stringify(value ?? null)
  return text.length > 2 * maxAuditCharacters
    ? `${text.slice(0, maxAuditCharacters).toWellFormed()}…`
    : (value ?? null)
}
