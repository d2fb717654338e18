/** What a stream follows: lists of rows, and types of events. A faulty list is refused without the others. */
import type { Actor, Context, Shared } from '../../core/context.ts'
import { invalidField, refusal, ServiceError } from '../../core/errors.ts'
import type { FieldAccess } from '../../core/feature/field.ts'
import type { FollowedRows, LiveSource } from '../../core/feature/live-source.ts'
import { notKnown } from '../../core/names.ts'
import { rightsOf } from '../../core/ownership.ts'
import { reachOf } from '../../core/reach.ts'
import type { Filter } from '../../database/read/filter.ts'
import { requireReadable, UnreadableMember } from '../../database/read/readable.ts'
import { selectionShape } from '../../database/read/render.ts'
import type { Selection } from '../../database/read/selection.ts'
import type { RowReach } from '../../database/row-reach.ts'
import { type FollowedRequest, maxListBytes, maxStreamBytes } from './schema.ts'

/** A list of the rows that match a filter and that the caller may read. */
export interface DecidedList {
  /** The name that the client gives the list. */
  name: string
  source: FollowedRows
  filter: Filter
  selection: Selection
}

export interface FollowedList extends DecidedList {
  source: LiveSource
  /** The members, as the client asked for them. */
  fields: string
}

export interface FollowedEvents {
  name: string
  type: string
}

export interface Refusal {
  code: 'NOT_FOUND' | 'FORBIDDEN' | 'INVALID'
  message: string
}

export interface Followed {
  lists: FollowedList[]
  events: FollowedEvents[]
  refused: Record<string, Refusal>
}

type Sources = ReadonlyMap<string, LiveSource>

/** @throws ServiceError `invalid` for descriptions that are too large together */
export function followedIn(
  context: Context,
  requested: Readonly<Record<string, FollowedRequest>>,
  sources: Sources,
): Followed {
  requireSmall(requested)
  const lists: FollowedList[] = []
  const events: FollowedEvents[] = []
  const refused: [name: string, Refusal][] = []
  for (const [name, asked] of Object.entries(requested)) {
    try {
      if (bytesOf(asked) > maxListBytes) throw refusal('listTooLong', { limit: maxListBytes })
      if ('on' in asked) events.push(eventsOf(context, name, asked.on))
      else lists.push(listOf(context, name, asked, sources))
    } catch (error) {
      refused.push([name, refusalOf(error)])
    }
  }
  return { lists, events, refused: Object.fromEntries(refused) } // safe for a list with the name `__proto__`
}

function requireSmall(requested: Readonly<Record<string, FollowedRequest>>): void {
  if (bytesOf(requested) <= maxStreamBytes) return
  throw invalidField('lists', `are described by ${maxStreamBytes} bytes at most`, {
    code: 'tooLarge',
    parameters: { limit: maxStreamBytes, unit: 'B' },
  })
}

function bytesOf(described: unknown): number {
  return Buffer.byteLength(JSON.stringify(described))
}

function eventsOf(context: Context, name: string, type: string): FollowedEvents {
  const { eventTypes } = context.shared
  if (!eventTypes.has(type)) throw refusal('noSuchEventType', { type })
  const error = eventRefusal(context, type)
  if (error !== null) throw error
  return { name, type }
}

function listOf(
  context: Context,
  name: string,
  { entity, filter = {}, fields = '' }: Exclude<FollowedRequest, { on: string }>,
  sources: Sources,
): FollowedList {
  const source = sources.get(entity)
  if (source === undefined)
    throw new ServiceError(
      'notFound',
      notKnown(entity, 'no entity whose lists can be followed', sources.keys()),
    )
  const refused = accessRefusal(context.actor, source.access)
  if (refused !== null) throw refused
  const reach = reachOf(context)
  const list = {
    name,
    source,
    fields,
    filter: compact(source.readFilter(context, filter)),
    selection: source.select(fields, reach),
  }
  requireReadable(reach, { selections: [list.selection], filter: list.filter })
  return list
}

/** A copy without spare room, because a stream keeps it for hours: an array that has grown has room for 16 more. */
function compact(filter: Filter): Filter {
  if (filter.kind !== 'and') return filter
  const [only, ...others] = filter.parts
  return only !== undefined && others.length === 0 ? only : { kind: 'and', parts: filter.parts.slice() }
}

/**
 * @param reach what row and field rules grant the caller
 * @returns why the caller may not follow one of these at present; `null` if all are permitted
 */
export function refusalNow(
  { actor, shared }: { actor: Actor | null; shared: Shared },
  { lists, events }: Followed,
  reach: RowReach | null,
): Error | null {
  for (const list of lists) {
    const refused = accessRefusal(actor, list.source.access) ?? memberRefusal(list, reach)
    if (refused !== null) return refused
  }
  for (const { type } of events) {
    const refused = eventRefusal({ actor, shared }, type)
    if (refused !== null) return refused
  }
  return null
}

function memberRefusal(
  { source, fields, selection, filter }: Followed['lists'][number],
  reach: RowReach | null,
): Error | null {
  try {
    const present = source.select(fields, reach)
    if (selectionShape(present) !== selectionShape(selection)) return new ServiceError('forbidden')
    requireReadable(reach, { selections: [selection], filter })
    return null
  } catch (error) {
    if (error instanceof UnreadableMember) return error
    throw error
  }
}

function eventRefusal({ actor, shared }: Pick<Context, 'actor' | 'shared'>, type: string): Error | null {
  return shared.eventTypes.isVisible(type, rightsOf(actor)) ? null : new ServiceError('forbidden')
}

function accessRefusal(actor: Actor | null, access: FieldAccess): Error | null {
  if (access === 'public' || (access === 'user' && actor !== null)) return null
  if (access !== 'user' && actor?.permissions.has(access) === true) return null
  return refusal('permissionLacking', { permission: access })
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof UnreadableMember) return { code: 'FORBIDDEN', message: error.message }
  if (!(error instanceof ServiceError)) throw error
  const { kind, message } = error
  if (kind === 'notFound') return { code: 'NOT_FOUND', message }
  if (kind === 'forbidden') return { code: 'FORBIDDEN', message }
  if (kind === 'invalid') return { code: 'INVALID', message }
  throw error
}
