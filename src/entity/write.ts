/** Changes of an entity's rows. Each is one transaction with its event and its audit entry. */
import { type Context, now } from '../core/context.ts'
import { asTenant } from '../core/create-context.ts'
import { refusal, type ServiceError } from '../core/errors.ts'
import type { Precondition } from '../core/precondition.ts'
import { inTransaction } from '../core/transaction.ts'
import { ConstraintViolation } from '../database/executor.ts'
import type { Behaviour, HookChange } from './behaviour.ts'
import type { Member, Names, Shape } from './definition.ts'
import { FieldGuard } from './field-guard.ts'
import { returnRow } from './history/return.ts'
import { actingIn, markIfUnreadable, requirePermitted, requireReach } from './permitted.ts'
import { recordChange, type States } from './record.ts'
import { requireReachable } from './reference.ts'
import {
  fromColumns,
  knownValues,
  newRow,
  optionalValues,
  type StoredRow,
  toColumns,
  type Values,
} from './row.ts'
import { changeFiles, hasFiles, withoutFiles } from './row-files.ts'
import { withLists, writeLists } from './row-lists.ts'
import { nextNumber, type RowStatements } from './sql.ts'
import { requireUsers } from './user-reference.ts'
import { type Constrained, writingRow } from './violation.ts'
import type { ActRequest, ChangeRequest, RestoreRequest } from './write-request.ts'
import { changedBy, isLast, requireState, run } from './write-steps.ts'

/** The rows of an entity, for code that has a context. */
export class EntityRows {
  readonly #names: Names
  readonly #shape: Shape
  readonly #statements: RowStatements
  readonly #behaviour: Behaviour
  readonly #sequences: readonly Member[]
  readonly #hasFiles: boolean
  /** The members that refer to rows, without those that name files: attaching a file checks it. */
  readonly #references: readonly Member[]
  readonly #constrained: Constrained
  /** `null` without rules of fields. */
  readonly guard: FieldGuard | null

  constructor(names: Names, shape: Shape, statements: RowStatements, behaviour: Behaviour) {
    this.#names = names
    this.#shape = shape
    this.#statements = statements
    this.#behaviour = behaviour
    this.#sequences = shape.members.filter(({ spec }) => spec.kind === 'sequence')
    this.#hasFiles = hasFiles(shape)
    this.#references = withoutFiles(shape.members)
    this.#constrained = { names, shape, unique: behaviour.unique }
    this.guard = FieldGuard.of(shape)
  }

  /** @throws ServiceError `invalid` for a value that another row has, or a reference to no row */
  create(context: Context, input: Values): Promise<StoredRow> {
    return this.#answered(context, input, () => this.#create(context, input))
  }

  #create(context: Context, input: Values): Promise<StoredRow> {
    const { hooks } = this.#behaviour
    // The last statement of a transaction is sent together with the COMMIT, which saves a round trip.
    const isRuled = this.#isRuled(context)
    const isDeferred = isLast(context, hooks.afterCreate) && !isRuled
    return writingRow(context, { ...this.#constrained, isDeferred }, async (inside, write) => {
      if (isRuled) requireReach(inside.data, this.#names)
      this.guard?.requireWritable(inside.data.reach, input, 'new')
      const change = { context: inside, input, before: null }
      const started = newRow(this.#shape, input, now(context))
      const wanted =
        hooks.beforeCreate === undefined ? started : await changedBy(hooks.beforeCreate, started, change)
      for (const member of this.#sequences)
        wanted[member.name] = await nextNumber(inside.data, this.#sequenceOf(member))
      this.guard?.requireComplete(wanted)
      const row = this.#computed(wanted)
      await write(row, async () => {
        await this.#takeReferences(inside, { before: null, after: row })
        const { data } = isRuled ? asTenant(inside) : inside // rules are asked of the stored row, below
        await this.#statements.insert(data, toColumns(this.#shape, row), isDeferred)
        if (this.#shape.children.length > 0) await writeLists(inside.data, this.#statements, row, null)
        if (isRuled) await requirePermitted(inside.data, this.#names, row.id, ['create', 'keep'])
        await this.#record(inside, 'created', { before: null, after: row })
      })
      if (hooks.afterCreate !== undefined) await run(hooks.afterCreate, row, change)
      return this.#behaviour.mayBecomeUnreadable ? markIfUnreadable(inside.data, this.#names, row) : row
    })
  }

  /**
   * @param request whose `decide` receives the locked row, and returns the members to change
   * @throws ServiceError `notFound`, `preconditionFailed`, and `invalid` like `create`
   */
  change(context: Context, id: string, request: ChangeRequest): Promise<StoredRow> {
    return this.#answered(context, request.input, () => this.#change(context, id, request))
  }

  #change(
    context: Context,
    id: string,
    { input, event = 'updated', precondition = null, decide, action, restoredFrom }: ChangeRequest,
  ): Promise<StoredRow> {
    const { hooks, history } = this.#behaviour
    const isRuled = this.#isRuled(context)
    const isDeferred = isLast(context, hooks.afterChange) && !isRuled
    const isRestored = restoredFrom !== undefined
    return writingRow(context, { ...this.#constrained, isDeferred }, async (inside, write) => {
      const before = await this.#locked(inside, id, precondition)
      const ownRow = actingIn(inside.data, this.#names, action)
      if (isRuled) await requirePermitted(ownRow, this.#names, id, ['read', 'update'])
      if (action === undefined) this.guard?.requireWritable(inside.data.reach, input, 'stored')
      const change = { context: inside, input, before }
      const decided = knownValues(this.#shape, decide === undefined ? input : await decide(before, inside))
      if (action === undefined) this.guard?.requireSame(inside.data.reach, decided, before)
      const changed = await changedBy(hooks.beforeChange, { ...before, ...decided }, change)
      this.guard?.requireComplete(changed)
      const row = this.#computed({ ...changed, id, updatedAt: now(inside), version: before.version + 1 })
      await write(row, async () => {
        // With the authority of the tenant: a caller who may read a version may restore the files that it names.
        await this.#takeReferences(isRestored ? asTenant(inside) : inside, { before, after: row })
        await this.#statements.update(ownRow, toColumns(this.#shape, row), isDeferred)
        if (this.#shape.children.length > 0) await writeLists(inside.data, this.#statements, row, before)
        if (isRuled) await requirePermitted(ownRow, this.#names, id, ['keep'])
        if (history !== null)
          await history.keepChanged(inside, { before, after: row }, { event, action, restoredFrom })
        await this.#record(inside, event, { before, after: row }, restoredFrom)
      })
      await run(hooks.afterChange, row, change)
      return this.#behaviour.mayBecomeUnreadable ? markIfUnreadable(inside.data, this.#names, row) : row
    })
  }

  /** Sets all members that callers may give: those left out get their defaults. @throws ServiceError like `change` */
  replace(
    context: Context,
    id: string,
    input: Values,
    precondition: Precondition = null,
  ): Promise<StoredRow> {
    const isKept = (member: string) => this.guard?.keeps(context.data.reach, member) === true
    return this.change(context, id, {
      input,
      precondition,
      decide: () => ({ ...optionalValues(this.#shape, isKept), ...input }),
    })
  }

  /** @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` while rows refer to it */
  delete(context: Context, id: string, precondition: Precondition = null): Promise<StoredRow> {
    const { hooks, history } = this.#behaviour
    return inTransaction(context, async (inside) => {
      const row = await this.#locked(inside, id, precondition)
      await requirePermitted(inside.data, this.#names, id, ['read', 'delete'])
      const change = { context: inside, input: {}, before: row }
      await run(hooks.beforeDelete, row, change)
      try {
        await this.#statements.remove(inside.data, id)
      } catch (error) {
        if (!(error instanceof ConstraintViolation) || error.rule !== 'foreignKey') throw error
        throw refusal('inUse', { label: this.#names.label }, { cause: error })
      }
      if (this.#hasFiles) await changeFiles(inside, this.#shape, { before: row, after: null })
      if (history !== null) await history.keepDeleted(inside, row)
      await this.#record(inside, 'deleted', { before: row, after: null })
      await run(hooks.afterDelete, row, change)
      return this.shown(inside, row)
    })
  }

  /** A deleted row returns with its id. @throws ServiceError `notFound`, `forbidden`, and `invalid` like `create` */
  restore(context: Context, id: string, request: RestoreRequest): Promise<StoredRow> {
    const returning = {
      ...this.#constrained,
      statements: this.#statements,
      behaviour: this.#behaviour,
      references: this.#references,
      isRuled: this.#isRuled(context),
      completed: (row: StoredRow) => {
        const whole = this.#computed(row)
        this.guard?.requireComplete(whole)
        return whole
      },
      record: (inside: Context, event: string, after: StoredRow, restoredFrom?: number) =>
        this.#record(inside, event, { before: null, after }, restoredFrom),
    }
    return this.#answered(context, {}, () => returnRow(context, id, request, returning))
  }

  /** @throws ServiceError `notFound`, `preconditionFailed`, or `invalid` for a row that is in another state */
  act(
    context: Context,
    id: string,
    { name, input = {}, precondition = null }: ActRequest,
  ): Promise<StoredRow> {
    const action = this.#behaviour.actions.get(name)
    if (action === undefined) throw new Error(`${this.#names.name} has no action ${name}.`)
    const { from, to, event, run: decide } = action
    const request: ChangeRequest = {
      input,
      event,
      precondition,
      decide: async (row, inside) => {
        const reads = (member: string) => this.guard?.reads(inside.data.reach, member) ?? true
        requireState(this.#names, row, { from, event, reads })
        const change: HookChange = { context: inside, input, before: row }
        return { ...to, ...(await run(decide ?? undefined, row, change)) }
      },
    }
    return this.#answered(context, input, () => this.#change(context, id, { ...request, action: name }))
  }

  /** @returns `null` when there is none */
  async find(context: Context, id: string): Promise<StoredRow | null> {
    const row = await this.findWhole(context, id)
    return row === null ? null : this.shown(context, row)
  }

  /** Reads the whole row, including members that the caller does not read. */
  async findWhole({ data }: Context, id: string): Promise<StoredRow | null> {
    const columns = await this.#statements.find(data, id)
    return columns === null ? null : withLists(data, this.#shape, this.#statements, columns)
  }

  /** @param ids in lower case @returns those that exist, by id, without their lists */
  async findAll(context: Context, ids: readonly string[]): Promise<Map<string, StoredRow>> {
    const found = ids.length === 0 ? [] : await this.#statements.findAll(context.data, ids)
    const rows = found.map((columns) => fromColumns(this.#shape, columns, new Map()))
    return new Map(rows.map((row) => [row.id, this.shown(context, row)]))
  }

  /** Checks that the users named in the input exist, then writes. @returns what the caller reads of the row */
  #answered(context: Context, input: Values, write: () => Promise<StoredRow>): Promise<StoredRow> {
    const users = requireUsers(context, this.#shape, input)
    const written = users === null ? write() : users.then(write)
    if (this.guard === null && context.idempotency === null) return written
    return written.then((row) => this.#readAgain(context, row))
  }

  /** A repeated request gets the row as it was then, if the caller may still read it, with the members of now. */
  async #readAgain(context: Context, row: StoredRow): Promise<StoredRow> {
    const { data, idempotency } = context
    const mayBeLost = idempotency?.replayed === true && data.reach?.readsAll(this.#names.table) === false
    if (mayBeLost && (await this.#statements.find(data, row.id)) === null) throw this.#missing()
    return this.shown(context, row)
  }

  /** @returns what the caller reads of the row */
  shown(context: Context, row: StoredRow): StoredRow {
    return this.guard === null ? row : this.guard.shown(context.data.reach, row)
  }

  /** Whether row rules restrict the caller, who must satisfy them after the write too. */
  #isRuled({ shared, authority }: Context): boolean {
    return authority === 'caller' && shared.rowRules.has(this.#names.table)
  }

  /** Checks that the caller may read the rows to which the row newly refers, and attaches the files that it names. */
  async #takeReferences(inside: Context, { before, after }: States & { after: StoredRow }): Promise<void> {
    if (inside.data.reach !== null) await requireReachable(inside.data, this.#references, { before, after })
    if (this.#hasFiles) await changeFiles(inside, this.#shape, { before, after })
  }

  #record(inside: Context, event: string, states: States, restoredFrom?: number): Promise<unknown> {
    const { payloadOf, isAudited, stateMembers } = this.#behaviour
    const { members, children } = this.#shape
    const change = {
      name: this.#names.name,
      event,
      payload: payloadOf(event),
      isAudited,
      stateMembers,
      restoredFrom,
    }
    return recordChange(inside, { ...change, members: [...members, ...children] }, states)
  }

  #sequenceOf({ field }: Member): string {
    return `${this.#names.table}.${field}`
  }

  #computed(row: StoredRow): StoredRow {
    for (const [name, compute] of this.#behaviour.compute) row[name] = compute(row)
    return row
  }

  async #locked(inside: Context, id: string, precondition: Precondition): Promise<StoredRow> {
    const columns = await this.#statements.lock(inside.data, id)
    if (columns === null) throw this.#missing()
    const row = await withLists(inside.data, this.#shape, this.#statements, columns)
    precondition?.(row)
    return row
  }

  #missing(): ServiceError {
    return refusal('noSuch', { label: this.#names.label })
  }
}
