/** The routes of history and trash. */

import type { TSchema } from 'typebox'
import { preconditionOf } from '../../api/http/reply/condition.ts'
import { listRoute } from '../../api/http/reply/list-route.ts'
import { capital } from '../../core/capital.ts'
import type { Context } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'
import { type Access, Reply, type Route, route } from '../../core/feature/route.ts'
import { withArticle } from '../../core/language/article.ts'
import type { Page } from '../../core/page.ts'
import { hasAccess } from '../../core/permission.ts'
import type { Names } from '../definition.ts'
import type { EntityParts } from '../parts.ts'
import { tagged, unreadableReply } from '../reply.ts'
import { hasFiles, showingFiles } from '../row-files.ts'
import { type HistoryParts, readHistory, readVersion } from './read.ts'
import { restoreVersion } from './restore.ts'
import type { RowHistory } from './row-history.ts'
import { deletedSchemaOf, HistoryEntry, RestoredFields, versionSchemaOf } from './schema.ts'
import { readTrash, trashPlace } from './trash.ts'

type Parts = EntityParts & { history: RowHistory }

/** @returns none for an entity that keeps nothing */
export function historyRoutesOf(parts: EntityParts): Route[] {
  const { history, offered } = parts
  if (history === null) return []
  const keeping = { ...parts, history }
  const showing = (each: Route) => (hasFiles(parts.shape) ? showingFiles(each, parts.shape) : each)
  const version = versionSchemaOf(parts.names, parts.shape)
  return [
    ...(offered.has('get') ? readRoutes(keeping, version) : []),
    ...(offered.has('change') ? [showing(restoreRoute(keeping))] : []),
    ...(history.trashDays === null ? [] : [trashRoute(keeping, version)]),
    ...(history.trashDays === null || !offered.has('create') ? [] : [showing(returnRoute(keeping))]),
  ]
}

const readers = { impersonation: 'allowed', errors: ['notFound'] } as const
const versionText = { version: 'The number of the version' }

function readRoutes(parts: Parts, version: TSchema): Route[] {
  const { names, access } = parts
  const common = { ...readers, tag: capital(names.labels), access: signedIn(access.operations.get) }
  return [
    listRoute({
      ...common,
      path: `${names.path}/:id/history`,
      name: `list${names.type}Versions`,
      summary: `List the versions of ${withArticle(names.label)}, newest first`,
      description:
        'Who made each, when, and what it changed. A deleted row has its history for as long as it can be restored.',
      row: HistoryEntry,
      exampleKey: '7',
      read: (context, request, path) => readHistory(context, path['id'] ?? '', parts, request),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${names.path}/:id/history/:version`,
      name: `get${names.type}Version`,
      summary: `Get ${withArticle(names.label)} as it was`,
      parameterTexts: versionText,
      reply: version,
      handle: async (context, { path }) =>
        new Reply(await readVersion(context, path.id, Number(path.version), parts), {}),
    }),
  ]
}

function restoreRoute(parts: Parts): Route {
  const { names, shape, access, mayBecomeUnreadable, offered } = parts
  const { create } = access.operations
  return route({
    method: 'POST',
    path: `${names.path}/:id/history/:version/restore`,
    name: `restore${names.type}Version`,
    summary: `Restore a version of ${withArticle(names.label)}`,
    description: `An ordinary change, which publishes the event \`${names.name}.updated\`. A deleted row returns, which takes the right to create one. What callers do not write keeps its value.`,
    tag: capital(names.labels),
    access: access.operations.change,
    impersonation: 'allowed',
    parameterTexts: versionText,
    body: RestoredFields,
    bodyOptional: true,
    ...(mayBecomeUnreadable && { otherwise: unreadableReply }),
    reply: shape.row,
    headers: ['etag', 'last-modified'],
    errors: ['invalid', 'notFound'],
    conditional: true,
    idempotent: true,
    handle: async (context, { path, body, headers }) => {
      requireReader(context, access.operations.get, names)
      const { fields } = (body ?? {}) as { fields?: string[] } // by its schema
      const row = await restoreVersion(
        context,
        path.id,
        {
          version: Number(path.version),
          fields,
          precondition: preconditionOf(headers),
          mayCreate: offered.has('create') && hasAccess(context.actor?.permissions, create),
        },
        parts,
      )
      return tagged(row)
    },
  })
}

function trashRoute(parts: Parts, version: TSchema): Route {
  const { names, access, history } = parts
  return listRoute({
    path: `${names.path}/trash`,
    name: `listDeleted${capital(names.plural)}`,
    summary: `List deleted ${names.labels}, the last deleted first`,
    description: `Those of the last ${history.trashDays} days. The list is always paged.`,
    tag: capital(names.labels),
    access: signedIn(access.readsSome),
    row: deletedSchemaOf(names, version),
    exampleKey: trashPlace,
    read: readingTrash(parts),
  })
}

function returnRoute({ names, shape, rows, access, mayBecomeUnreadable }: Parts): Route {
  return route({
    method: 'POST',
    path: `${names.path}/:id/restore`,
    name: `restore${names.type}`,
    summary: `Restore ${withArticle(`deleted ${names.label}`)}`,
    description: `It returns with its id and its lists. Publishes the event \`${names.name}.restored\`.`,
    tag: capital(names.labels),
    access: access.operations.create,
    impersonation: 'allowed',
    ...(mayBecomeUnreadable && { otherwise: unreadableReply }),
    reply: shape.row,
    headers: ['etag', 'last-modified'],
    errors: ['invalid', 'notFound'],
    idempotent: true,
    handle: async (context, { path }) => {
      requireReader(context, access.readsSome, names)
      return tagged(await rows.restore(context, path.id, {}))
    },
  })
}

function readingTrash(parts: HistoryParts) {
  return async (context: Context, request: Parameters<typeof readTrash>[2]): Promise<Page<never>> =>
    (await readTrash(context, parts, request)) as Page<never> // rows by the schema of the version
}

/** Rows that everybody may read show their former states to signed-in users only. */
function signedIn(access: Access): Access {
  return access === 'public' ? 'user' : access
}

/** Refuses a caller who may write but not read: restoring shows former values. @throws ServiceError `forbidden` */
export function requireReader(context: Context, access: Access, { labels }: Names): void {
  if (!hasAccess(context.actor?.permissions, access)) throw refusal('restoreTakesReading', { labels })
}
