/** Makes the query builder Kysely compile SQL for both databases, and run it by the executors of this folder. */
import {
  type DatabaseConnection,
  type Driver,
  DummyDriver,
  type Dialect as KyselyDialect,
  type LimitNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Dialect, Executor } from './executor.ts'

/** Builds SQL without running it. */
export function compileOnly(dialect: Dialect): KyselyDialect {
  return kyselyDialect(dialect, () => new DummyDriver())
}

export function dialectFor(executor: Executor): KyselyDialect {
  return kyselyDialect(executor.dialect, () => new ExecutorDriver(executor))
}

function kyselyDialect(dialect: Dialect, createDriver: () => Driver): KyselyDialect {
  return dialect === 'sqlite'
    ? {
        createDriver,
        createAdapter: () => new SqliteAdapter(),
        createQueryCompiler: () => new SqliteCompiler(),
        createIntrospector: (db) => new SqliteIntrospector(db),
      }
    : {
        createDriver,
        createAdapter: () => new PostgresAdapter(),
        createQueryCompiler: () => new PostgresQueryCompiler(),
        createIntrospector: (db) => new PostgresIntrospector(db),
      }
}

/** SQLite recompiles a statement for each run if its LIMIT is a bare parameter. */
class SqliteCompiler extends SqliteQueryCompiler {
  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node)
    this.append(' + 0')
  }
}

/** Runs what Kysely compiles. `Database.transaction` begins transactions, never Kysely. */
class ExecutorDriver extends DummyDriver {
  readonly #connection: DatabaseConnection

  constructor(executor: Executor) {
    super()
    this.#connection = {
      executeQuery: async ({ sql, parameters }) => {
        const isReusable = false // rare statements do not occupy the cache
        const { rows, affected } = await executor.run(sql, parameters, isReusable)
        return { rows: rows as never[], numAffectedRows: BigInt(affected) } // Kysely types the rows by its query
      },
      streamQuery: () => {
        throw new Error('Stream by pages instead.')
      },
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  override async beginTransaction(): Promise<void> {
    throw new Error('Use transaction() of the context instead.')
  }
}
