/** Saved views: lists of entities as users have arranged them, for themselves or shared with others of the tenant. */

import { userIdOf } from '../../core/actor.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { defined } from '../../core/defined.ts'
import { invalidField, refusal } from '../../core/errors.ts'
import { isUuid, newId } from '../../core/id.ts'
import type { Precondition } from '../../core/precondition.ts'
import { lockTenantOf } from '../../core/tenant/directory.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { callerOf, isOwn, isShared, mayChange, readsEntity, rolesIn, seesView } from './reach.ts'
import {
  maxViewBytes,
  maxViews,
  type View,
  type ViewContent,
  type ViewInput,
  type ViewUpdate,
} from './schema.ts'
import { changedSharing, refuseTooManyShared, takeDefaults, unshared } from './sharing.ts'
import { countViewsOf, deleteView, findView, findViews, insertView, updateView, type ViewRow } from './sql.ts'

export interface StoredView extends View {
  version: number
}

/** @param entity all entities if absent @returns the views that the caller sees, in the order of creation */
export async function listViews(context: Context, entity: string | undefined): Promise<View[]> {
  const userId = userIdOf(callerOf(context))
  const rows = await findViews(context.catalogue, defined({ userId, entity }))
  return rows
    .filter((row) => seesView(context, row))
    .map((row) => toView(context, row))
    .map(({ version: _version, ...view }) => view)
}

/** @throws ServiceError `notFound`, also for a view that the caller does not see */
export async function getView(context: Context, id: string): Promise<StoredView> {
  return toView(context, await seenView(context, id))
}

/**
 * @throws ServiceError `invalid` for an entity that the caller does not read, too many views, or a view that is too
 *   large; `forbidden` for a caller that is no user, and for sharing without `view:share`
 */
export function createView(context: Context, input: ViewInput): Promise<StoredView> {
  const owner = userIdOf(callerOf(context))
  if (owner === null) throw refusal('viewsNeedUser')
  if (!readsEntity(context, input.entity))
    throw invalidField('entity', 'names no entity whose rows you may read', 'notFound')
  return inCatalogue(context, async (inside) => {
    await lockTenantOf(inside)
    const sharing = await changedSharing(inside, unshared, input)
    if ((await countViewsOf(inside.catalogue, owner)) >= maxViews)
      throw refusal('tooManyViews', { limit: maxViews })
    if (isShared(sharing)) await refuseTooManyShared(inside)
    const moment = now(inside)
    const row = {
      id: newId(),
      account_id: owner,
      name: input.name,
      entity: input.entity,
      content: contentOf(initialContent, input),
      ...sharing,
      version: 1,
      created_at: moment,
      updated_at: moment,
    }
    await insertView(inside.catalogue, row)
    await takeDefaults(inside, row)
    if (isShared(row)) await record(inside, 'view.shared', row)
    return toView(inside, row)
  })
}

/**
 * Omitted members stay unchanged.
 * @throws ServiceError `notFound`, `preconditionFailed`, `invalid`; `forbidden` for the view
 *   of another without `view:share`
 */
export function updateSavedView(
  context: Context,
  id: string,
  { input, precondition }: { input: ViewUpdate; precondition: Precondition },
): Promise<StoredView> {
  return inCatalogue(context, async (inside) => {
    const before = await lockView(inside, id, precondition)
    const sharing = await changedSharing(inside, before, input)
    if (isShared(sharing) && !isShared(before)) await refuseTooManyShared(inside)
    const row = {
      ...before,
      ...sharing,
      name: input.name ?? before.name,
      content: contentOf(JSON.parse(before.content), input),
      version: before.version + 1,
      updated_at: now(inside),
    }
    await updateView(inside.catalogue, row)
    await takeDefaults(inside, row)
    if (isShared(row)) await record(inside, 'view.shared', row)
    else if (isShared(before)) await record(inside, 'view.withdrawn', row)
    return toView(inside, row)
  })
}

/** @throws ServiceError `notFound`, `preconditionFailed`, `forbidden` like `updateSavedView` */
export async function removeView(context: Context, id: string, precondition: Precondition): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const row = await lockView(inside, id, precondition)
    await deleteView(inside.catalogue, row.id)
    if (isShared(row)) await record(inside, 'view.withdrawn', row)
  })
}

/** Locks the tenant until the transaction ends, so that its views change one at a time. @returns the view */
async function lockView(inside: Context, id: string, precondition: Precondition): Promise<ViewRow> {
  await lockTenantOf(inside)
  const row = await seenView(inside, id)
  if (!mayChange(callerOf(inside), row)) throw refusal('viewOfOther')
  precondition?.({ version: row.version, updatedAt: row.updated_at })
  return row
}

async function seenView(context: Context, id: string): Promise<ViewRow> {
  const row = isUuid(id) ? await findView(context.catalogue, id) : null
  if (row === null || !seesView(context, row)) throw refusal('noSuch', { label: 'view' })
  return row
}

const initialContent: ViewContent = { query: {}, columns: [], group: null, layout: 'table' }

/** @throws ServiceError `invalid` for more than 8 kB */
function contentOf(before: ViewContent, { query, columns, group, layout, density }: ViewUpdate): string {
  const content = JSON.stringify({
    query: query ?? before.query,
    columns: columns ?? before.columns,
    group: group === undefined ? before.group : group,
    layout: layout ?? before.layout,
    density: density === undefined ? (before.density ?? null) : density,
  })
  if (Buffer.byteLength(content) > maxViewBytes) throw refusal('viewTooLarge', { limit: maxViewBytes / 1024 })
  return content
}

/** Only changes of shared views are recorded: views that users keep for themselves are private. */
function record(inside: Context, action: 'view.shared' | 'view.withdrawn', row: ViewRow): Promise<void> {
  const { id, name, entity, shared_with: sharedWith } = row
  const detail = {
    name,
    entity,
    sharedWith,
    roles: rolesIn(row.roles),
    isDefaultFor: rolesIn(row.default_for),
  }
  const { catalogueTenantId: tenantId } = inside
  return recordAudit(inside, { action, tenantId, subjectType: 'view', subjectId: id, detail })
}

function toView(context: Context, row: ViewRow): StoredView {
  const actor = callerOf(context)
  return {
    id: row.id,
    name: row.name,
    entity: row.entity,
    density: null,
    ...(JSON.parse(row.content) as ViewContent), // written by `contentOf`
    sharedWith: row.shared_with as View['sharedWith'], // written from validated input
    roles: rolesIn(row.roles),
    isDefaultFor: rolesIn(row.default_for),
    isOwn: isOwn(actor, row),
    isChangeable: mayChange(actor, row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
