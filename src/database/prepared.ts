/** Statements that are built once and run with new parameters, each by one kind of handle, such as that of a tenant. */
import { type Compilable, Kysely, type KyselyPlugin } from 'kysely'
import type { InstallationTables, TenantCatalogueTables, UserTables } from './catalogue-tables.ts'
import {
  type Compiled,
  compileOnce,
  placeholders,
  RulePlaceholder,
  tenantPlaceholder,
  userPlaceholder,
  valuesOf,
} from './compiled.ts'
import { compileOnly } from './dialect.ts'
import type { Database, Dialect, Executor, ScanOptions, StatementResult } from './executor.ts'
import type { RowReach } from './row-reach.ts'
import { scopeTo } from './scope.ts'
import type { QueueTables, TenantTables } from './tenant-tables.ts'

/** A query that is compiled once for each database. @typeParam Kind the kind of handle that may run it */
export interface PreparedFor<Kind extends string, P, R> {
  /** @param ofAll selects the variant for all tenants of a query of `prepareForTenantOrAll` */
  compiled(dialect: Dialect, ofAll?: boolean): Compiled
  /** Compiles the query with the access rules of the tables, for a caller who may not read or change every row. */
  ruled(dialect: Dialect, reach: RowReach): Compiled
  /** Never set: makes the kinds different types. A query of two kinds is accepted by the handles of both. */
  readonly kinds?: (kind: Kind) => void
  /** Never set: keeps queries of other kinds from being a `Prepared`. */
  readonly kind?: Kind extends 'tenant' ? 'tenant' : 'other'
  /** Never set: carries the types of parameters and rows. */
  readonly types?: { parameters: P; row: R }
}

/** A query on tenant tables. */
export interface Prepared<P, R> {
  compiled(dialect: Dialect): Compiled
  /** Compiles the query with the access rules of the tables, for a caller who may not read or change every row. */
  ruled(dialect: Dialect, reach: RowReach): Compiled
  /** Never set: makes this a different type from queries of other kinds. */
  readonly kind?: 'tenant'
  /** Never set: carries the types of parameters and rows. */
  readonly types?: { parameters: P; row: R }
}

type Build<Tables, P, R> = (tables: Kysely<Tables>, parameters: P, dialect: Dialect) => Compilable<R>

/** @param build must not branch on the parameters: they are placeholders while it runs */
type Preparing<Kind extends string, Tables> = <P extends object, R>(
  build: Build<Tables, P, R>,
) => PreparedFor<Kind, P, R>

function preparing<Kind extends string, Tables>(plugins: KyselyPlugin[]): Preparing<Kind, Tables> {
  const builders = new Map<Dialect, Kysely<Tables>>()
  const builderOf = (dialect: Dialect): Kysely<Tables> => {
    const known = builders.get(dialect)
    if (known !== undefined) return known
    const made = new Kysely<Tables>({ dialect: compileOnly(dialect), plugins })
    builders.set(dialect, made)
    return made
  }
  return <P extends object, R>(build: Build<Tables, P, R>) =>
    compileOnce((dialect, reach) => {
      const tables = reach === null ? builderOf(dialect) : ruledBuilder<Tables>(dialect, reach)
      return build(tables, placeholders<P>(), dialect)
    })
}

/** @returns a builder for one statement only, because its scope is bound to this caller's access */
function ruledBuilder<Tables>(dialect: Dialect, reach: RowReach): Kysely<Tables> {
  const rules = { reach, dialect, placeholderOf: (name: string) => new RulePlaceholder(name, dialect) }
  const scope = scopeTo({ tenant: tenantPlaceholder, rules })
  return new Kysely<Tables>({ dialect: compileOnly(dialect), plugins: [scope] })
}

const ofTenant = [scopeTo({ tenant: tenantPlaceholder })]

const prepareForTenant = preparing<'tenant', TenantTables>(ofTenant)

/**
 * On SQLite, building a query costs more than running it. Frequent queries are therefore built once.
 * @param build must not branch on the parameters: they are placeholders while it runs
 */
export function prepare<P extends object, R>(
  build: (tables: Kysely<TenantTables>, parameters: P, dialect: Dialect) => Compilable<R>,
): Prepared<P, R> {
  return prepareForTenant(build)
}

/** Prepares a query on the rows of all tenants, or of tables without a tenant. `TenantData.isOfAll` runs it. */
export const prepareForRowsOfAll: typeof prepareForTenant = preparing<'tenant', TenantTables>([])

/** Prepares a query on the rows of a tenant in the catalogue. */
export const prepareInCatalogue = preparing<'catalogue', TenantCatalogueTables>(ofTenant)

/** Prepares a query on the rows of a user in the catalogue. */
export const prepareForUser = preparing<'user', UserTables>([
  scopeTo({ tenant: tenantPlaceholder, user: userPlaceholder }),
])

/** Prepares a query on all rows of the catalogue. */
export const prepareForInstallation = preparing<'installation', InstallationTables>([])

/** Prepares a query on the rows of one tenant in the catalogue, or of all: the handle that runs it decides. */
export function prepareForTenantOrAll<P extends object, R>(
  build: Build<TenantCatalogueTables, P, R>,
): PreparedFor<'catalogue' | 'installation', P, R> {
  const scoped = prepareInCatalogue(build)
  const ofAll = prepareUnscoped(build)
  return {
    compiled: (dialect, isOfAll = false) => (isOfAll ? ofAll : scoped).compiled(dialect),
    ruled: scoped.ruled,
  }
}

/** Prepares a query on the tables of tenants in the catalogue without restricting it to a tenant. */
const prepareUnscoped = preparing<'installation', TenantCatalogueTables>([])

/** Prepares a query on the queues of all tenants of a database. */
export const prepareForAll = preparing<'queue', QueueTables>([])

/**
 * One prepared query for each set of members that parameters may have, such as the filters of a list.
 * @param build receives the names of the members that are given
 */
export function prepareEach<P extends object, R>(
  build: (
    tables: Kysely<TenantTables>,
    parameters: Required<P>,
    dialect: Dialect,
    given: ReadonlySet<keyof P>,
  ) => Compilable<R>,
): (parameters: P) => Prepared<P, R> {
  return eachOf(prepareForTenant, build)
}

type BuildEach<Tables, P, R> = (
  tables: Kysely<Tables>,
  parameters: Required<P>,
  dialect: Dialect,
  given: ReadonlySet<keyof P>,
) => Compilable<R>

/** Prepares queries like `prepareEach`, of any kind. @param prepareOne prepares one query of that kind */
export function eachOf<Kind extends string, Tables, P extends object, R>(
  prepareOne: Preparing<Kind, Tables>,
  build: BuildEach<Tables, P, R>,
): (parameters: P) => PreparedFor<Kind, P, R> {
  const known = new Map<string, PreparedFor<Kind, P, R>>()
  return (parameters) => {
    const names = Object.keys(parameters).toSorted() as (keyof P & string)[] // members of P alone are given
    const shape = names.join()
    let prepared = known.get(shape)
    if (prepared === undefined) {
      const given = new Set<keyof P>(names)
      prepared = prepareOne<P, R>(
        (tables, placeholder, dialect) => build(tables, placeholder as Required<P>, dialect, given), // it has every member
      )
      known.set(shape, prepared)
    }
    return prepared
  }
}

/**
 * Picks parameters to insert or to set. They are placeholders of a proxy while a query is built, which cannot be
 * spread.
 */
export function pick<P extends object, K extends keyof P>(parameters: P, names: Iterable<K>): Pick<P, K> {
  return Object.fromEntries([...names].map((name) => [name, parameters[name]])) as Pick<P, K> // it has these members
}

/** The tenant and the user to whose rows a run is confined; `null`: it is not confined to one. */
export interface ScopeValues {
  tenantId: string | null
  userId: string | null
}

export function runInScope<Kind extends string, P extends object, R>(
  executor: Executor,
  { tenantId, userId }: ScopeValues,
  query: PreparedFor<Kind, P, R>,
  parameters: P,
): Promise<{ rows: R[]; affected: number }> {
  const compiled = query.compiled(executor.dialect, tenantId === null)
  const values = valuesOf(compiled.parameters, parameters, tenantId, userId, null)
  // The query's own row type; the drivers convert by declared type.
  return executor.run(compiled.sql, values, true) as Promise<{ rows: R[]; affected: number }>
}

/** See `StatementResult`. */
export interface Ran<R> {
  rows: R[]
  affected: number
  isNoted?: boolean
  elapsedMs?: number
}

/** The tenant to whose rows a run is confined, and the caller's access to them. */
export interface TenantReach {
  readonly tenantId: string
  /** `null`: all rows of the tenant. */
  readonly reach: RowReach | null
}

export function runPrepared<P extends object, R>(
  executor: Executor,
  { tenantId, reach }: TenantReach,
  query: Prepared<P, R>,
  parameters: P,
  reusable = true,
): Promise<Ran<R>> {
  const compiled = compiledFor(query, executor.dialect, reach)
  const values = valuesOf(compiled.parameters, parameters, tenantId, null, reach)
  // The query's own row type; the drivers convert by declared type.
  return executor.run(compiled.sql, values, reusable) as Promise<Ran<R>>
}

/** Returns in batches the rows of a query that no index bounds. */
export function scanPrepared<P extends object, R>(
  database: Database,
  { tenantId, reach }: TenantReach,
  query: Prepared<P, R>,
  { parameters, ...scan }: { parameters: P } & Omit<ScanOptions, 'owner'>,
): AsyncIterable<R[]> {
  const compiled = compiledFor(query, database.dialect, reach)
  const options = { owner: tenantId, ...scan }
  return database.scan(
    compiled.sql,
    valuesOf(compiled.parameters, parameters, tenantId, null, reach),
    options,
  ) as AsyncIterable<R[]> // as in `runPrepared`
}

/** Scans the rows of all tenants, like `scanPrepared`. */
export function scanPreparedForAll<P extends object, R>(
  database: Database,
  query: PreparedFor<'queue', P, R>,
  { parameters, ...scan }: { parameters: P } & Omit<ScanOptions, 'owner'>,
): AsyncIterable<R[]> {
  const compiled = query.compiled(database.dialect)
  const values = valuesOf(compiled.parameters, parameters, null, null, null)
  return database.scan(compiled.sql, values, { owner: '', ...scan }) as AsyncIterable<R[]> // as in `runPrepared`
}

/** Runs a query like `runPrepared`, but with the next statement of the transaction (see `Executor.defer`). */
export function deferPrepared<P extends object, R>(
  executor: Executor,
  { tenantId, reach }: TenantReach,
  query: Prepared<P, R>,
  parameters: P,
  answered?: (ran: Ran<R>) => void,
): Promise<void> {
  const { sql, parameters: compiledParameters } = compiledFor(query, executor.dialect, reach)
  const values = valuesOf(compiledParameters, parameters, tenantId, null, reach)
  return deferOrRun(executor, sql, values, true, answered as (result: StatementResult) => void) // as in `runPrepared`
}

/** Runs a query like `runInScope`, but with the next statement of the transaction (see `Executor.defer`). */
export function deferInScope<Kind extends string, P extends object, R>(
  executor: Executor,
  { tenantId, userId }: ScopeValues,
  query: PreparedFor<Kind, P, R>,
  parameters: P,
): Promise<void> {
  const compiled = query.compiled(executor.dialect, tenantId === null)
  const values = valuesOf(compiled.parameters, parameters, tenantId, userId, null)
  return deferOrRun(executor, compiled.sql, values, true)
}

/** One promise for all deferred statements: there is nothing to wait for. */
const deferred = Promise.resolve()

/** Defers the statement if the executor can; SQLite runs it at once, because a round trip costs nothing there. */
export function deferOrRun(
  executor: Executor,
  sql: string,
  values: readonly unknown[],
  reusable: boolean,
  answered?: (result: StatementResult) => void,
): Promise<void> {
  if (executor.defer === undefined)
    return executor.run(sql, values, reusable).then((result) => answered?.(result))
  executor.defer(sql, values, reusable, answered)
  return deferred
}

function compiledFor<P, R>(query: Prepared<P, R>, dialect: Dialect, reach: RowReach | null): Compiled {
  return reach === null ? query.compiled(dialect) : query.ruled(dialect, reach)
}
