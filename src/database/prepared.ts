import { type Compilable, Kysely } from 'kysely'
import { compileOnly } from './dialect.ts'
import type { Database, Dialect, Executor, Row, ScanOptions, StatementResult } from './executor.ts'
import { scopeToTenant } from './scope.ts'
import type { QueueTables, TenantTables } from './tenant-tables.ts'

/** A value that each run supplies. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const tenantPlaceholder = new Placeholder('tenant')

interface Compiled {
  sql: string
  parameters: readonly unknown[]
}

/** A query on tenant tables, compiled once for each database and run with new parameters. */
export interface Prepared<P, R> {
  compiled(dialect: Dialect): Compiled
  /** Never set: carries the types of parameters and rows. */
  readonly types?: { parameters: P; row: R }
}

/**
 * On SQLite, building a query costs more than running it. Frequent queries are therefore built once.
 * @param build must not branch on the parameters: they are placeholders while it runs
 */
export function prepare<P extends object, R>(
  build: (tables: Kysely<TenantTables>, parameters: P, dialect: Dialect) => Compilable<R>,
): Prepared<P, R> {
  return { compiled: compileOnce((dialect) => build(scopedBuilder(dialect), placeholders<P>(), dialect)) }
}

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
  const known = new Map<string, Prepared<P, R>>()
  return (parameters) => {
    const names = Object.keys(parameters).toSorted() as (keyof P & string)[] // members of P alone are given
    const shape = names.join()
    let prepared = known.get(shape)
    if (prepared === undefined) {
      const given = new Set(names)
      prepared = prepare<P, R>((tables, placeholder, dialect) =>
        build(tables, placeholder as Required<P>, dialect, given),
      ) // it has every member
      known.set(shape, prepared)
    }
    return prepared
  }
}

/** A query on the rows of all tenants. Its type differs, so that the handles of a tenant refuse it. */
export interface PreparedForAll<P, R> {
  compiledForAll(dialect: Dialect): Compiled
  /** Never set: carries the types of parameters and rows. */
  readonly typesForAll?: { parameters: P; row: R }
}

/** Like `prepare`, without a tenant: for the delivery queue. */
export function prepareForAll<P extends object, R>(
  build: (tables: Kysely<QueueTables>, parameters: P, dialect: Dialect) => Compilable<R>,
): PreparedForAll<P, R> {
  return {
    compiledForAll: compileOnce((dialect) =>
      build(new Kysely<QueueTables>({ dialect: compileOnly(dialect) }), placeholders<P>(), dialect),
    ),
  }
}

export function runPrepared<P extends object, R>(
  executor: Executor,
  tenantId: string,
  query: Prepared<P, R>,
  parameters: P,
  reusable = true,
): Promise<{ rows: R[]; affected: number }> {
  return run(executor, query.compiled(executor.dialect), parameters, { tenantId, reusable })
}

export function runPreparedForAll<P extends object, R>(
  executor: Executor,
  query: PreparedForAll<P, R>,
  parameters: P,
): Promise<{ rows: R[]; affected: number }> {
  return run(executor, query.compiledForAll(executor.dialect), parameters, { tenantId: null, reusable: true })
}

/** The rows of a read that no index bounds, in batches. */
export function scanPrepared<P extends object, R>(
  database: Database,
  tenantId: string,
  query: Prepared<P, R>,
  { parameters, ...scan }: { parameters: P } & Omit<ScanOptions, 'owner'>,
): AsyncIterable<R[]> {
  const compiled = query.compiled(database.dialect)
  const options = { owner: tenantId, ...scan }
  return database.scan(
    compiled.sql,
    valuesOf(compiled.parameters, parameters, tenantId),
    options,
  ) as AsyncIterable<R[]> // as in `run`
}

/** The same for the rows of all tenants. */
export function scanPreparedForAll<P extends object, R>(
  database: Database,
  query: PreparedForAll<P, R>,
  { parameters, ...scan }: { parameters: P } & Omit<ScanOptions, 'owner'>,
): AsyncIterable<R[]> {
  const compiled = query.compiledForAll(database.dialect)
  const values = valuesOf(compiled.parameters, parameters, null)
  return database.scan(compiled.sql, values, { owner: '', ...scan }) as AsyncIterable<R[]> // as in `run`
}

/** Like `runPrepared`; see `defer` of an executor. */
export function deferPrepared<P extends object, R>(
  executor: Executor,
  tenantId: string,
  query: Prepared<P, R>,
  parameters: P,
  answered?: (rows: R[]) => void,
): Promise<void> {
  const { sql, parameters: compiledParameters } = query.compiled(executor.dialect)
  const values = valuesOf(compiledParameters, parameters, tenantId)
  return deferOrRun(executor, sql, values, true, ({ rows }) => answered?.(rows as R[])) // as in `run`
}

/** Nothing to wait for. */
const deferred = Promise.resolve()

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

function run<P extends object, R>(
  executor: Executor,
  compiled: Compiled,
  parameters: P,
  { tenantId, reusable }: { tenantId: string | null; reusable: boolean },
): Promise<{ rows: R[]; affected: number }> {
  const values = valuesOf(compiled.parameters, parameters, tenantId)
  // The query's own row type; the drivers convert by declared type.
  return executor.run(compiled.sql, values, reusable) as Promise<{ rows: R[]; affected: number }>
}

function valuesOf(
  compiledParameters: readonly unknown[],
  parameters: object,
  tenantId: string | null,
): unknown[] {
  return compiledParameters.map((value) => {
    if (!(value instanceof Placeholder)) return value
    return value === tenantPlaceholder ? tenantId : (parameters as Row)[value.name] // placeholders are its members
  })
}

function compileOnce(build: (dialect: Dialect) => Compilable): (dialect: Dialect) => Compiled {
  const ready = new Map<Dialect, Compiled>()
  return (dialect) => {
    let compiled = ready.get(dialect)
    if (compiled === undefined) {
      const { sql, parameters } = build(dialect).compile()
      compiled = { sql, parameters }
      ready.set(dialect, compiled)
    }
    return compiled
  }
}

const builders = new Map<Dialect, Kysely<TenantTables>>()

function scopedBuilder(dialect: Dialect): Kysely<TenantTables> {
  let builder = builders.get(dialect)
  if (builder === undefined) {
    builder = new Kysely<TenantTables>({
      dialect: compileOnly(dialect),
      plugins: [scopeToTenant(tenantPlaceholder)],
    })
    builders.set(dialect, builder)
  }
  return builder
}

/** Every member read from it is a placeholder of that name, whatever type the parameter has. */
function placeholders<P extends object>(): P {
  return new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) }) as P // it has every member
}
