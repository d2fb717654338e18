/** Decides what a caller may follow and read: once for all streams of a caller, and again when permissions change. */
import type { Actor, Context, Shared } from '../../core/context.ts'
import type { Permission, PermissionSet } from '../../core/permission.ts'
import { reachOf } from '../../core/reach.ts'
import type { RowReach } from '../../database/row-reach.ts'
import { type Followed, refusalNow } from './followed.ts'

/** Which rows a caller may read is determined again after this time, because attributes change without a notice. */
const reachForMs = 250

export interface CallerRights {
  reach(): RowReach | null
  /** @returns why the caller may not follow the lists any more, or `null` */
  refusal(): Error | null
}

export function callerRights(
  { actor, shared }: Pick<Context, 'actor' | 'shared'>,
  followed: Followed,
): CallerRights {
  const reach = () => presentReach(actor, shared)
  let known: { refusal: Error | null; answers: ReadonlyMap<Permission, boolean> } | null = null
  const refusal = () => {
    if (known === null || hasChanged(actor, known.answers)) known = decide(actor, shared, followed)
    return known.refusal
  }
  return { reach, refusal }
}

/** Decides, and notes which permissions were asked for. The decision holds while these permissions stay the same. */
function decide(actor: Actor | null, shared: Shared, followed: Followed) {
  const answers = new Map<Permission, boolean>()
  const asked = actor && { ...actor, permissions: recorded(actor.permissions, answers) }
  const reach = reachOf({ actor: asked, shared, authority: 'caller' })
  return { refusal: refusalNow({ actor: asked, shared }, followed, reach), answers }
}

function recorded(permissions: PermissionSet, answers: Map<Permission, boolean>): PermissionSet {
  const has = (permission: Permission) => {
    const answer = permissions.has(permission)
    answers.set(permission, answer)
    return answer
  }
  return { has }
}

function hasChanged(actor: Actor | null, answers: ReadonlyMap<Permission, boolean>): boolean {
  for (const [permission, answer] of answers) if (actor?.permissions.has(permission) !== answer) return true
  return false
}

/** Requests with one token have one actor. */
const reaches = new WeakMap<Actor, { reach: RowReach | null; untilMs: number }>()

/** What the row and field rules let the caller read, cached for a short time. */
export function presentReach(actor: Actor | null, shared: Shared): RowReach | null {
  if (actor === null) return reachOf({ actor, shared, authority: 'caller' })
  const nowMs = performance.now()
  let known = reaches.get(actor)
  if (known === undefined || known.untilMs < nowMs) {
    known = { reach: reachOf({ actor, shared, authority: 'caller' }), untilMs: nowMs + reachForMs }
    reaches.set(actor, known)
  }
  return known.reach
}
