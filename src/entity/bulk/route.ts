/** `POST /api/<plural>/bulk`: creates, changes, deletes, restores or acts on many rows, or only tries to. */

import { preconditionOf } from '../../api/http/reply/condition.ts'
import { capital } from '../../core/capital.ts'
import type { Context } from '../../core/context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { type Route, route } from '../../core/feature/route.ts'
import { type ImpersonationRule, refuseImpersonated } from '../../core/impersonation.ts'
import { openAccount } from '../../core/limits/caller-time.ts'
import { isPermission, lacking, type Permission } from '../../core/permission.ts'
import type { Precondition } from '../../core/precondition.ts'
import { inputReader, type Reader } from '../../core/schema/input.ts'
import { inTransaction } from '../../core/transaction.ts'
import { requireReader } from '../history/rest.ts'
import { type ListQuery, listQueryOf } from '../list.ts'
import type { EntityParts } from '../parts.ts'
import type { StoredRow, Values } from '../row.ts'
import { type Chosen, type ChosenRow, chooseRows } from './choose.ts'
import { type BulkRow, runEach, tryEach } from './run.ts'
import { type BulkInput, BulkReport, bulkInput, maxRows } from './schema.ts'

/** An operation that a bulk request does with each row. */
interface BulkVerb {
  access: 'public' | Permission
  impersonation: ImpersonationRule
  /** Validates the input of a row; `null` for a verb without input. */
  read: Reader<never> | null
  /** Whether the verb concerns deleted rows, which queries do not find. */
  isOfDeleted?: boolean
  /** Whether the verb makes new rows, each from an input of its own. */
  isOfNew?: boolean
  /** @param id empty for a new row */
  run(
    context: Context,
    id: string,
    request: { input: Values; precondition: Precondition },
  ): Promise<StoredRow | null>
}

interface WantedRow extends BulkRow {
  request: () => { input: Values; precondition: Precondition }
}

const changes = ['create', 'change', 'delete'] as const

/** Whether callers can change rows of the entity at all. */
export function hasBulk({ actions, offered }: EntityParts): boolean {
  return Object.keys(actions).length > 0 || changes.some((operation) => offered.has(operation))
}

/** @returns `null` for an entity whose rows callers cannot change */
export function bulkRoute(parts: EntityParts): Route | null {
  if (!hasBulk(parts)) return null
  const { names } = parts
  const verbs = verbsOf(parts)
  const list = listQueryOf(parts)
  return route({
    method: 'POST',
    path: `${names.path}/bulk`,
    name: `bulk${capital(names.plural)}`,
    summary: `Change many ${names.labels}`,
    description: `Creates, changes or deletes up to ${maxRows} ${names.labels}${verbs.get('restore')?.isOfDeleted === true ? ', restores deleted ones' : ''}, or runs an action on each. Each row is done as if by its own request, and one that fails does not stop the others: the reply reports every row. With \`dryRun\` nothing is stored.`,
    tag: capital(names.labels),
    access: accessOf(verbs),
    accessOfParts: [...verbs.values()].map(({ access }) => access),
    impersonation: 'allowed',
    body: bulkInput(names, [...verbs.keys()]),
    reply: BulkReport,
    errors: ['forbidden', 'countChanged', 'tooManyRequests'],
    idempotent: true,
    handle: async (context, { body }) => {
      const verb = verbs.get(body.do)
      if (verb === undefined) throw invalidField('do', 'is not known', 'unknownName') // its schema refuses it
      requireAccess(context, verb, { list: body.query && parts.access.operations.list })
      if (verb.isOfDeleted === true) requireDeleted(context, parts, body)
      const account = openAccount(context)
      const { rows, remaining } = await wantedRows(context, verb, body, { ...parts, list })
      account.spend(rows.length)
      const each = body.dryRun === true ? tryEach : runEach
      const reports = await each(context, rows, (inside, row) =>
        verb.run(inside, row.id ?? '', row.request()),
      )
      const done = reports.filter(({ status }) => status === 'done').length
      return { done, failed: reports.length - done, remaining, rows: reports }
    },
  })
}

/** @throws ServiceError `invalid` for a request that concerns no row, or whose input no row could have */
async function wantedRows(
  context: Context,
  verb: BulkVerb,
  body: BulkInput,
  parts: Pick<EntityParts, 'model'> & { list: ListQuery },
): Promise<{ rows: WantedRow[]; remaining: number }> {
  if (verb.isOfNew === true) return { rows: newRows(verb, body), remaining: 0 }
  if (body.rows !== undefined) throw invalidField('rows', 'are of create', 'notPossible')
  const input = readInput(verb, body)
  const choose = () => chooseRows(context, body, parts)
  const { rows, remaining } = await (body.dryRun === true ? choose() : once(context, choose))
  const tags = tagsById(body)
  const wanted = rows.map((row) => ({
    id: row.id,
    part: row.id,
    request: () => ({ input, precondition: preconditionFor(row, tags) }),
  }))
  return { rows: wanted, remaining }
}

/** Each input is validated when the turn of its row comes, so that a faulty one does not stop the others. */
function newRows({ read }: BulkVerb, { rows, ...others }: BulkInput): WantedRow[] {
  if (rows === undefined) throw invalidField('rows', 'is required', 'required')
  const wrong = (['ids', 'query', 'versions', 'input'] as const).find((name) => others[name] !== undefined)
  if (wrong !== undefined) throw invalidField(wrong, 'is not for rows that are created', 'notPossible')
  return rows.map((row, index) => ({
    id: null,
    part: String(index),
    request: () => ({ input: (read?.(row) ?? {}) as Values, precondition: null }), // an object by its schema
  }))
}

function verbsOf({ offered, shape, access, rows, actions, history }: EntityParts): Map<string, BulkVerb> {
  const verbs = new Map<string, BulkVerb>()
  for (const [name, { input, impersonation = 'allowed' }] of Object.entries(actions))
    verbs.set(name, {
      access: access.actions[name] ?? access.operations.write,
      impersonation,
      read: input === undefined ? null : inputReader(input),
      run: (context, id, request) => rows.act(context, id, { name, ...request }),
    })
  if (offered.has('change'))
    verbs.set('change', {
      access: access.operations.change,
      impersonation: 'allowed',
      read: inputReader(shape.change),
      run: (context, id, request) => rows.change(context, id, request),
    })
  if (offered.has('delete'))
    verbs.set('delete', {
      access: access.operations.delete,
      impersonation: 'allowed',
      read: null,
      run: async (context, id, { precondition }) => {
        await rows.delete(context, id, precondition)
        return null
      },
    })
  if (offered.has('create') && (history?.trashDays ?? null) !== null)
    verbs.set('restore', {
      access: access.operations.create,
      impersonation: 'allowed',
      read: null,
      isOfDeleted: true,
      run: (context, id) => rows.restore(context, id, {}),
    })
  if (offered.has('create'))
    verbs.set('create', {
      access: access.operations.create,
      impersonation: 'allowed',
      read: inputReader(shape.input),
      isOfNew: true,
      run: (context, _, { input }) => rows.create(context, input),
    })
  return verbs
}

/** The permission of the route: the one that all verbs require. If they differ, each verb checks its own. */
function accessOf(verbs: ReadonlyMap<string, BulkVerb>): 'user' | Permission {
  const [only, ...others] = new Set([...verbs.values()].map(({ access }) => access))
  return only !== undefined && others.length === 0 && isPermission(only) ? only : 'user'
}

/** @param list the permission to list rows, which a query requires as well @throws ServiceError `forbidden` */
function requireAccess(
  context: Context,
  { access, impersonation }: BulkVerb,
  { list }: { list: 'public' | Permission | undefined },
): void {
  for (const required of [access, list])
    if (required !== undefined && isPermission(required) && context.actor?.permissions.has(required) !== true)
      throw lacking(required)
  if (impersonation === 'refused') refuseImpersonated(context)
}

/** Checks a request to restore deleted rows. @throws ServiceError `forbidden`; `invalid` for a query or versions */
function requireDeleted(
  context: Context,
  { access, names }: Pick<EntityParts, 'access' | 'names'>,
  { query, versions }: BulkInput,
): void {
  requireReader(context, access.readsSome, names)
  if (query !== undefined)
    throw invalidField('query', 'finds no deleted rows: name them with ids', 'notPossible')
  if (versions !== undefined)
    throw invalidField('versions', 'are of rows that are not deleted', 'notPossible')
}

/** @throws ServiceError `invalid`, whose faults are in the member `input` */
function readInput({ read }: BulkVerb, { do: name, input }: BulkInput): Values {
  if (read === null) {
    if (input !== undefined && Object.keys(input).length > 0)
      throw invalidField('input', `${name} takes none`, 'notPossible')
    return {}
  }
  try {
    return read(input ?? {}) as Values // an object by its schema
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const faults = error.faults.map((fault) => ({ ...fault, pointer: `/input${fault.pointer}` }))
    throw new ServiceError('invalid', error.message, { faults })
  }
}

/** @returns the tags that the rows must have, by the ids in lower case, as rows have them */
function tagsById({ versions = {} }: BulkInput): ReadonlyMap<string, string> {
  return new Map(Object.entries(versions).map(([id, tag]) => [id.toLowerCase(), tag]))
}

/** A row that has changed since the query has found it may not match any more: it stays as it is. */
function preconditionFor({ id, version }: ChosenRow, tags: ReadonlyMap<string, string>): Precondition {
  const tag = tags.get(id)
  if (tag !== undefined) return preconditionOf({ 'if-match': tag })
  if (version === undefined) return null
  return (row) => {
    if (row?.version !== version) throw new ServiceError('preconditionFailed')
  }
}

/**
 * With an Idempotency-Key, a repeated request concerns the rows that the first one has found. They are found before the
 * transaction, because a query may take long.
 */
async function once(context: Context, choose: () => Promise<Chosen>): Promise<Chosen> {
  if (context.idempotency === null) return choose()
  const [found] = await Promise.allSettled([choose()])
  return inTransaction(context, async () => {
    if (found.status === 'rejected') throw found.reason
    return found.value
  })
}
