import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Executor, Row, StatementResult } from '../executor.ts'
import { foldFunction, foldText } from '../fold-text.ts'
import { LruMap } from '../lru-map.ts'
import { translate } from './failure.ts'
import { defineListed } from './listed.ts'
import { prepareOutsideLookaside } from './lookaside.ts'
import { defineNote, type Note } from './note.ts'
import { limitTime } from './time-limit.ts'

/** The number of statements that are kept: enough for every fixed query of the service. */
const maxStatements = 400
const defaultLimitMs = 2000

interface PreparedStatement {
  statement: StatementSync
  returnsRows: boolean
  /** The names of the boolean columns, for which SQLite returns 0 and 1. */
  booleans: string[]
}

/** The prepared statements of one connection by text, with the conversions that their columns need. */
export class Statements {
  readonly #connection: DatabaseSync
  readonly #prepareToKeep: (sql: string) => StatementSync
  readonly #startLimit: (limitMs: number) => void
  readonly #limitMs: number
  readonly #note: Note
  readonly #prepared = new LruMap<string, PreparedStatement>(maxStatements)

  /** @param limitMs processor time of a statement that checks its time */
  constructor(connection: DatabaseSync, limitMs = defaultLimitMs) {
    this.#connection = connection
    this.#prepareToKeep = prepareOutsideLookaside(connection)
    this.#startLimit = limitTime(connection)
    connection.function(foldFunction, { deterministic: true }, (text) =>
      typeof text === 'string' ? foldText(text) : null,
    )
    defineListed(connection)
    this.#note = defineNote(connection)
    this.#limitMs = limitMs
  }

  run(sql: string, parameters: readonly unknown[], reusable: boolean): StatementResult {
    const prepared = this.#prepare(sql, reusable)
    const values = parameters.map(toSqlite)
    this.#startLimit(this.#limitMs)
    if (!prepared.returnsRows) {
      this.#note.isMade = false
      const affected = Number(prepared.statement.run(...values).changes)
      return { rows: [], affected, isNoted: this.#note.isMade }
    }
    const rows = prepared.statement.all(...values) as Row[] // objects, because arrays were not requested
    if (prepared.booleans.length > 0) convert(rows, prepared.booleans)
    return { rows, affected: 0 }
  }

  /** Returns rows one by one, each with a time limit of its own. @param limitMs is called before each row */
  *rows(sql: string, parameters: readonly unknown[], limitMs: () => number): Generator<Row, void> {
    // A cached statement may be returning rows to another scan.
    const { statement, booleans } = this.#prepare(sql, false)
    this.#startLimit(limitMs())
    for (const row of statement.iterate(...parameters.map(toSqlite)) as Iterable<Row>) {
      // Booleans are converted as in `run`.
      if (booleans.length > 0) convert([row], booleans)
      yield row
      this.#startLimit(limitMs())
    }
  }

  #prepare(sql: string, reusable: boolean): PreparedStatement {
    const known = this.#prepared.peek(sql)
    if (known !== undefined) return known
    const statement = reusable ? this.#prepareToKeep(sql) : this.#connection.prepare(sql)
    const columns = statement.columns()
    const booleans = columns.filter(({ type }) => type?.toUpperCase() === 'BOOLEAN').map(({ name }) => name)
    const prepared = {
      statement,
      returnsRows: columns.length > 0,
      booleans,
    }
    if (reusable) this.#prepared.set(sql, prepared)
    return prepared
  }
}

function convert(rows: Row[], booleans: string[]): void {
  for (const row of rows) {
    for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1
  }
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  if (Array.isArray(value)) return JSON.stringify(value) // statements read lists with json_each
  return value as SQLInputValue // SQLite refuses other types by name
}

export function directExecutor(connection: DatabaseSync): Executor {
  const statements = new Statements(connection)
  return {
    dialect: 'sqlite',
    run: async (sql, parameters, reusable): Promise<StatementResult> => {
      try {
        return statements.run(sql, parameters, reusable)
      } catch (error) {
        throw translate(error)
      }
    },
  }
}
