/** Tells programs such as the console what a caller may do with a row, so that they offer nothing else. */

import { type Static, Type } from 'typebox'
import { capital } from '../core/capital.ts'
import type { Context } from '../core/context.ts'
import { refusal } from '../core/errors.ts'
import { type Route, route } from '../core/feature/route.ts'
import { withArticle } from '../core/language/article.ts'
import { hasAccess } from '../core/permission.ts'
import type { TenantData } from '../database/data.ts'
import { isPermitted } from '../database/row-check.ts'
import type { RowOperation } from '../database/row-rule.ts'
import type { EntityParts } from './parts.ts'
import { actingIn } from './permitted.ts'

export const RowRights = Type.Object(
  {
    change: Type.Boolean({ description: 'Whether the caller may change it', examples: [true] }),
    delete: Type.Boolean({ description: 'Whether the caller may delete it', examples: [false] }),
    actions: Type.Array(Type.String(), {
      description: 'The actions that the caller may do with it, whatever its state',
      examples: [['close']],
    }),
  },
  { $id: 'RowRights', description: 'What the caller may do with a row.' },
)

/** @returns `null` if row rules do not differ by operation: permissions alone then say what a caller may do */
export function rightsRoute(parts: EntityParts): Route | null {
  const { names, access, offered, isRuledByOperation } = parts
  if (!isRuledByOperation || !offered.has('get')) return null
  return route({
    method: 'GET',
    path: `${names.path}/:id/rights`,
    name: `get${names.type}Rights`,
    tag: capital(names.labels),
    summary: `Get what you may do with ${withArticle(names.label)}`,
    description: 'By your permissions and by the rules of rows. Whether its state allows it, is not asked.',
    access: access.operations.get,
    reply: RowRights,
    errors: ['notFound'],
    handle: (context, { path }) => rightsTo(context, parts, path.id),
  })
}

async function rightsTo(context: Context, parts: EntityParts, id: string): Promise<Static<typeof RowRights>> {
  const { names, access, offered, actions, rows } = parts
  const { data, actor } = context
  if ((await rows.find(context, id)) === null) throw refusal('noSuch', { label: names.label })
  const may = async (needed: string, operation: RowOperation, acting = data) =>
    hasAccess(actor?.permissions, needed) && (await holds(acting, names.table, id, operation))
  const allowed: string[] = []
  for (const name of Object.keys(actions)) {
    const needed = access.actions[name] ?? access.operations.write
    if (await may(needed, 'update', actingIn(data, names, name))) allowed.push(name)
  }
  return {
    change: offered.has('change') && (await may(access.operations.change, 'update')),
    delete: offered.has('delete') && (await may(access.operations.delete, 'delete')),
    actions: allowed,
  }
}

/** Whether the row rules permit the caller the operation on an existing row. */
async function holds(data: TenantData, table: string, id: string, operation: RowOperation): Promise<boolean> {
  const { reach } = data // what the rules grant the caller; null for code
  return reach === null || (await isPermitted(data, reach, { table, id, operations: [operation] }))
}
