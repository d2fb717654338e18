/** Decides whether a caller may receive what a subscription sends. Rights may change while a subscription is open. */
import type { Actor, Shared } from '../../../core/context.ts'
import { rightsOf } from '../../../core/ownership.ts'
import { noPermission, type Permission } from '../../../core/permission.ts'
import type { Filter } from '../../../database/read/filter.ts'
import { relatedTables, restrictedIn, UnreadableMember } from '../../../database/read/readable.ts'
import { accessError, refuse } from '../error.ts'
import type { SubscriptionRoot } from './rendering.ts'

/** @returns a function that returns the reason for a refusal at present, or `null` */
export function refusalOf(
  { field, selection }: SubscriptionRoot,
  filter: Filter,
  { actor, shared }: { actor: Actor | null; shared: Shared },
): () => Error | null {
  const members = restrictedIn({ selections: [selection], filter })
  const tables = relatedTables(selection)
  // The access of the event applies as well as that of the field.
  return () =>
    accessError({ actor }, field.access ?? 'user') ??
    eventError(field, actor, shared) ??
    hiddenError(actor, members) ??
    ruledError(actor, shared, tables)
}

/** A public field is for everybody, unless the event is for administrators. */
function eventError(
  { event, access: ofField, isDecided }: SubscriptionRoot['field'],
  actor: Actor | null,
  { eventTypes }: Shared,
): Error | null {
  const rights = rightsOf(actor)
  const access = isDecided === true ? eventTypes.leastAccessOf(event) : eventTypes.accessOf(event)
  const isVisible =
    isDecided === true ? eventTypes.isVisibleInPart(event, rights) : eventTypes.isVisible(event, rights)
  if (isVisible || (ofField === 'public' && access !== 'admin')) return null
  const reason =
    access === 'admin'
      ? 'Only an administrator may see this event.'
      : `This event requires the permission ${access}.`
  return refuse('notAuthorized', reason)
}

/** Refuses members that the caller may not read: rows are rendered for all subscribers at once, and hide nothing. */
function hiddenError(actor: Actor | null, members: ReturnType<typeof restrictedIn>): Error | null {
  const permissions = actor?.permissions ?? noPermission
  const reads = (permission: string) => permissions.has(permission as Permission) // rules name declared permissions only
  const hidden = members.find(({ anyOf }) => !anyOf.some(reads))
  return hidden === undefined ? null : refuse('notAuthorized', new UnreadableMember(hidden).message)
}

/** Refuses related rows with row rules. Files are exempt, because a caller who may read a row may read its files. */
function ruledError(actor: Actor | null, { rowRules }: Shared, tables: ReadonlySet<string>): Error | null {
  const permissions = actor?.permissions ?? noPermission
  for (const [table, { all }] of rowRules) {
    const needed = all as Permission // rules name declared permissions only
    if (tables.has(table) && table !== 'file' && !permissions.has(needed))
      return refuse('notAuthorized', `Live rows reach related ones with the permission ${all}.`)
  }
  return null
}
