import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { Executor, Row, StatementResult } from '../executor.ts'
import { foldFunction, foldText } from '../fold-text.ts'
import { LruMap } from '../lru-map.ts'
import { translate } from './failure.ts'
import { defineListed } from './listed.ts'
import { prepareOutsideLookaside } from './lookaside.ts'
import { defineNote, type Note } from './note.ts'
import { limitTime } from './time-limit.ts'

/** Enough for every fixed query of the service; further texts displace the oldest. */
const maxStatements = 400
const defaultLimitMs = 2000

interface PreparedStatement {
  statement: StatementSync
  /** Makes a row of what the statement returns. `null`: the statement returns no rows. */
  toRow: ((returned: Returned) => Row) | null
}

type Returned = Row | readonly unknown[]

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
    const { statement, toRow } = this.#prepare(sql, reusable)
    const values = parameters.map(toSqlite)
    this.#startLimit(this.#limitMs)
    if (toRow === null) {
      this.#note.isMade = false
      const affected = Number(statement.run(...values).changes)
      return { rows: [], affected, isNoted: this.#note.isMade }
    }
    const found = statement.all(...values) as Returned[] // as `toRow` takes them
    return { rows: found.map(toRow), affected: 0 }
  }

  /** Rows one by one, each with its own time limit. @param limitMs called before each row */
  *rows(sql: string, parameters: readonly unknown[], limitMs: () => number): Generator<Row, void> {
    // A cached statement may be returning rows to another scan.
    const { statement, toRow } = this.#prepare(sql, false)
    if (toRow === null) throw new Error('A statement without rows was read.')
    this.#startLimit(limitMs())
    const found = statement.iterate(...parameters.map(toSqlite)) as Iterable<Returned> // likewise
    for (const returned of found) {
      yield toRow(returned)
      this.#startLimit(limitMs())
    }
  }

  #prepare(sql: string, reusable: boolean): PreparedStatement {
    const known = this.#prepared.peek(sql)
    if (known !== undefined) return known
    const statement = reusable ? this.#prepareToKeep(sql) : this.#connection.prepare(sql)
    const prepared = { statement, toRow: rowMaker(statement, sql) }
    if (reusable) this.#prepared.set(sql, prepared)
    return prepared
  }
}

/** The rows of a statement by the names of its columns. */
function rowMaker(statement: StatementSync, sql: string): PreparedStatement['toRow'] {
  const columns = statement.columns().map(({ name, type }) => ({
    name,
    isBoolean: type?.toUpperCase() === 'BOOLEAN',
  }))
  if (columns.length === 0) return null
  const booleans = columns.filter(({ isBoolean }) => isBoolean)
  if (namesNoColumns.test(sql)) return (row) => withBooleans(row as Row, booleans) // arrays were not requested
  // An object of node:sqlite takes longer to make, and longer to read, because it has no prototype.
  statement.setReturnArrays(true)
  return (returned) => {
    const values = returned as readonly unknown[] // requested above
    const row: Row = {}
    for (let index = 0; index < columns.length; index++) {
      const { name, isBoolean } = columns[index] as (typeof columns)[number] // within its length
      const value = values[index]
      row[name] = isBoolean && value !== null ? value === 1 : value
    }
    return row
  }
}

/** Another process may migrate the table: `select *` has other columns from then on, in another order. */
const namesNoColumns = /(?:\bselect|\breturning|[.,])\s*\*/i

function withBooleans(row: Row, booleans: readonly { name: string }[]): Row {
  for (const { name } of booleans) if (row[name] !== null) row[name] = row[name] === 1
  return row
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
