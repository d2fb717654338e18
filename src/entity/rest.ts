/** The REST routes of an entity. */

import { type TSchema, Type } from 'typebox'
import { preconditionOf, validatorsOf } from '../api/http/reply/condition.ts'
import { liveCursor } from '../api/live/cursor.ts'
import { capital } from '../core/capital.ts'
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { recentCursor } from '../core/events/recent-cursor.ts'
import { noRule } from '../core/feature/field-rule.ts'
import { JsonText, Reply, type Route, type RouteInput, route } from '../core/feature/route.ts'
import { withArticle } from '../core/language/article.ts'
import { viewOf } from '../core/precondition.ts'
import { bulkRoute } from './bulk/route.ts'
import type { Names } from './definition.ts'
import { historyRoutesOf } from './history/rest.ts'
import { listQueryOf, listRows } from './list.ts'
import type { Operation } from './operation.ts'
import type { EntityParts } from './parts.ts'
import { tagged, unreadableReply } from './reply.ts'
import { rightsRoute } from './rights.ts'
import type { Values } from './row.ts'
import { hasFiles, showingFiles } from './row-files.ts'

export function routesOf(parts: EntityParts): Route[] {
  const { offered } = parts
  const byOperation: Partial<Record<Operation, Route>> = { ...readRoutes(parts), ...writeRoutes(parts) }
  const routes = Object.entries(byOperation).filter(([operation]) => offered.has(operation as Operation)) // its keys
  const further = [rightsRoute(parts), bulkRoute(parts)].filter((each) => each !== null)
  const all = [...routes.map(([, each]) => each), ...actionRoutes(parts), ...further]
  const shown = hasFiles(parts.shape) ? all.map((each) => showingFiles(each, parts.shape)) : all
  return [...shown, ...historyRoutesOf(parts)]
}

function readRoutes(parts: EntityParts): Partial<Record<Operation, Route>> {
  const { names, shape, access, notes } = parts
  const common = { tag: capital(names.labels) } as const
  const list = listQueryOf(parts)
  return {
    list: route({
      ...common,
      method: 'GET',
      path: names.path,
      summary: `List ${names.labels}`,
      description: described(
        notes.list,
        `Without parameters it lists all ${names.labels} of the tenant in the order of creation, as one streamed array. With \`limit\`, \`cursor\`, a filter, a sort or a search it lists one page; its \`Link\` header leads to the next.`,
      ),
      access: access.operations.list,
      query: list.schema,
      refusesUnknownParameters: true,
      reply: Type.Array(shape.row),
      errors: ['tooManyRequests'],
      headers: ['etag', 'link', ...(parts.isLive ? (['live-cursor'] as const) : [])],
      handle: (context, { query }) => {
        const read = () => listRows(context, query as Values, list, parts) // an object by its schema
        // Anonymous callers cannot open a stream, and need no cursor for it.
        return parts.isLive && context.actor !== null ? withCursor(context, read) : read()
      },
    }),
    get: route({
      ...common,
      method: 'GET',
      path: `${names.path}/:id`,
      summary: `Get ${withArticle(names.label)}`,
      description: described(notes.get, 'Send its `ETag` in `If-Match` to change it.'),
      access: access.operations.get,
      reply: shape.row,
      headers: ['etag', 'last-modified'],
      errors: ['notFound'],
      handle: rowReader(parts),
    }),
  }
}

/** Adds the cursor from which the list can be followed. It is taken before the read, so that no change is missed. */
async function withCursor(context: Context, read: () => Promise<Reply>): Promise<Reply> {
  const recent = recentCursor(context.data)
  const cursor = typeof recent === 'string' ? recent : await recent
  const { body, headers, status } = await read()
  const signed = liveCursor(context.tenant.id, cursor, context.shared.clock())
  return new Reply(body, { ...headers, 'live-cursor': signed }, status)
}

/** A row without lists and files is rendered by the database. */
function rowReader(
  parts: EntityParts,
): (context: Context, input: Pick<RouteInput<never, never>, 'path'>) => Promise<Reply> {
  const { names, shape, statements, rows } = parts
  const found = <R>(row: R | null): R => {
    if (row === null) throw refusal('noSuch', { label: names.label })
    return row
  }
  return shape.children.length > 0 || hasFiles(shape)
    ? async (context, { path }) => tagged(found(await rows.find(context, path['id'] ?? '')))
    : async (context, { path }) => {
        const { data } = context
        const row = found(await statements.rendered(data, path['id'] ?? ''))
        const view = rows.guard?.view(data.reach) // callers who read different members get different tags
        return new Reply(
          new JsonText(row.json),
          validatorsOf(view === undefined ? row : { ...row, [viewOf]: view }),
        )
      }
}

/** Administrators of the host may change rows while they act as a user. */
const ofRows = { impersonation: 'allowed' } as const
const validators = ['etag', 'last-modified'] as const

function answersOf({ mayBecomeUnreadable }: EntityParts) {
  return { ...ofRows, headers: validators, ...(mayBecomeUnreadable && { otherwise: unreadableReply }) }
}

function writeRoutes(parts: EntityParts): Partial<Record<Operation, Route>> {
  const { names, shape, rows, access, notes } = parts
  const common = { ...answersOf(parts), tag: capital(names.labels), reply: shape.row }
  const one = { ...ofRows, path: `${names.path}/:id`, errors: ['notFound'] as const, conditional: true }
  return {
    create: route({
      ...common,
      method: 'POST',
      path: names.path,
      summary: `Create ${withArticle(names.label)}`,
      description: described(notes.create, `Publishes the event \`${names.name}.created\`.`),
      access: access.operations.create,
      body: shape.input,
      status: 201,
      headers: ['etag', 'last-modified', 'location'],
      idempotent: true,
      handle: async (context, { body }) => {
        const row = await rows.create(context, body as Values) // an object by its schema
        return tagged(row, { location: `${names.path}/${row.id}` })
      },
    }),
    replace: route({
      ...common,
      ...one,
      method: 'PUT',
      summary: `Replace ${withArticle(names.label)}`,
      description: described(
        notes.replace,
        `Omitted members get their defaults${keptOf(shape)}. Publishes the event \`${names.name}.updated\`.`,
      ),
      access: access.operations.replace,
      body: shape.replacement,
      handle: async (context, { path, body, headers }) =>
        tagged(await rows.replace(context, path['id'] ?? '', body as Values, preconditionOf(headers))), // an object by its schema
    }),
    change: route({
      ...common,
      ...one,
      method: 'PATCH',
      name: `change${names.type}`,
      summary: `Change ${withArticle(names.label)}`,
      description: described(
        notes.change,
        `Omitted members stay unchanged. Publishes the event \`${names.name}.updated\`.`,
      ),
      access: access.operations.change,
      body: shape.change,
      handle: async (context, { path, body, headers }) => {
        const precondition = preconditionOf(headers)
        const input = body as Values // an object by its schema
        return tagged(await rows.change(context, path['id'] ?? '', { input, precondition }))
      },
    }),
    delete: route({
      ...one,
      tag: common.tag,
      method: 'DELETE',
      summary: `Delete ${withArticle(names.label)}`,
      description: described(notes.delete, `Publishes the event \`${names.name}.deleted\`.`),
      access: access.operations.delete,
      status: 204,
      errors: ['invalid', 'notFound'],
      handle: async (context, { path, headers }) => {
        await rows.delete(context, path['id'] ?? '', preconditionOf(headers))
      },
    }),
  }
}

function actionRoutes({ names, shape, rows, access, actions, mayBecomeUnreadable }: EntityParts): Route[] {
  return Object.entries(actions).map(([name, { input, summary, description, impersonation }]) =>
    route({
      method: 'POST',
      path: `${names.path}/:id/${name}`,
      summary: actionSummary(names, name, summary),
      ...(description !== undefined && { description }),
      tag: capital(names.labels),
      access: access.actions[name] ?? access.operations.write,
      impersonation: impersonation ?? 'allowed',
      ...(input !== undefined && { body: bodyOf(input, names, name) }),
      ...(mayBecomeUnreadable && { otherwise: unreadableReply }),
      reply: shape.row,
      headers: ['etag', 'last-modified'],
      errors: ['invalid', 'notFound'],
      conditional: true,
      idempotent: true,
      handle: async (context: Context, { path, body, headers }: RouteInput<unknown, unknown>) => {
        const given = (body ?? {}) as Values // an object by its schema
        const request = { name, input: given, precondition: preconditionOf(headers) }
        return tagged(await rows.act(context, path['id'] ?? '', request))
      },
    }),
  )
}

export function actionSummary({ label }: Names, name: string, summary?: string): string {
  return summary ?? `${capital(name)} ${withArticle(label)}`
}

export function bodyOf(input: TSchema, { type }: Names, action: string): TSchema {
  return '$id' in input ? input : { ...input, $id: `${capital(action)}${type}Input` }
}

/** @returns a clause for the description that says which members a replacement keeps */
function keptOf({ members, children }: EntityParts['shape']): string {
  const isKept = [...members, ...children].some(({ rule }) => rule !== noRule)
  return isKept ? '; those that the caller does not write stay as they are' : ''
}

function described(note: string | undefined, text: string): string {
  return note === undefined ? text : `${note} ${text}`
}
