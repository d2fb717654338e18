/**
 * Statements that are sent to the server together, and read by one answer. The server skips those after one that fails.
 * Without BEGIN they are a transaction, which ends with the request.
 *
 * `pg` makes closures for each query that keep its rows alive until a full garbage collection: a quarter of the processor
 * time of a list. Here a request keeps what it needs in fields.
 */
import { hash } from 'node:crypto'
import pg from 'pg'
import type { Row, StatementResult } from '../executor.ts'
import { types } from './types.ts'

export interface BoundStatement {
  readonly text: string
  /** A connection keeps a statement with a name prepared. */
  readonly name: string
  readonly returnsRows: boolean
  readonly values: readonly unknown[]
}

/** @throws what `pg` throws; the connection is closed when the server has not answered in time */
export function send(
  client: pg.Client,
  statements: readonly BoundStatement[],
  timeoutMs: number,
): Promise<StatementResult[]> {
  const request = new Request(statements)
  const answer = request.begin(timeoutMs)
  client.query(request)
  return answer
}

export function toStatement(text: string, values: readonly unknown[], reusable: boolean): BoundStatement {
  const { name, returnsRows } = reusable ? kindOf(text) : { name: '', returnsRows: true }
  return { text, name, returnsRows, values }
}

interface Kind {
  name: string
  returnsRows: boolean
}

const kinds = new Map<string, Kind>()

/** The name is a digest of the text: behind a pooler, another process may have prepared a statement of the same name. */
function kindOf(text: string): Kind {
  let kind = kinds.get(text)
  if (kind === undefined) {
    const returnsRows = !/^\s*(insert|update|delete)\b/i.test(text) || /\breturning\b/i.test(text)
    kind = { name: hash('sha256', text, 'base64url'), returnsRows }
    kinds.set(text, kind)
  }
  return kind
}

export const begin: BoundStatement = { text: 'BEGIN', name: 'begin', returnsRows: false, values: [] }
/** Answered with an error if the server rolls back. */
export const commit: BoundStatement = { text: 'COMMIT', name: 'COMMIT', returnsRows: false, values: [] }

/** What the types of `pg` leave out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): Wire } }).utils
type Wire = Buffer | string | null

interface Connection extends pg.Connection {
  /** The statements that the server has prepared, and those that it was sent, by their names. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

interface Column {
  name: string
  parse: (text: string) => unknown
}

class Request extends pg.Query {
  /** The name of the statement whose answer is awaited: by it `pg` records what the server has prepared. */
  name = ''
  text = ''
  readonly #statements: readonly BoundStatement[]
  readonly #results: StatementResult[] = []
  #rows: Row[] = []
  #columns: Column[] = []
  /** Found while the answer is read, whose end is awaited nevertheless. */
  #failure: unknown = null
  #connection: Connection | null = null
  #sentAtMs = 0
  /** `null` before the request is sent, and after it is answered. */
  #pending: {
    timer: NodeJS.Timeout
    resolve(results: StatementResult[]): void
    reject(error: unknown): void
  } | null = null

  constructor(statements: readonly BoundStatement[]) {
    super('')
    this.#statements = statements
    this.#expect(0)
  }

  begin(timeoutMs: number): Promise<StatementResult[]> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
    this.#pending = { timer: setTimeout(expire, timeoutMs, this), resolve, reject }
    return promise
  }

  /** @returns an error if nothing was sent */
  send(connection: Connection): unknown {
    this.#connection = connection
    this.#sentAtMs = performance.now()
    const [only, second] = this.#statements
    // The text of a statement that is neither prepared nor has values may contain several.
    if (second === undefined && only?.name === '' && only.values.length === 0) {
      connection.query(only.text)
      return null
    }
    try {
      const values = this.#statements.map((statement) => statement.values.map((value) => prepareValue(value)))
      connection.stream.cork()
      for (const [index, statement] of this.#statements.entries())
        sendStatement(connection, statement, values[index] ?? [])
      connection.sync()
      connection.stream.uncork()
      return null
    } catch (error) {
      return error
    }
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#rows.push(rowOf(this.#columns, fields))
    } catch (error) {
      this.#failure ??= error
    }
  }

  /** @param text `INSERT 0 1`, `SELECT 50`, `COMMIT` */
  handleCommandComplete({ text }: { text: string }): void {
    if (this.#statements[this.#results.length] === commit && text !== commit.text)
      this.#failure ??= new Error('A statement of the transaction failed, and its error was ignored.')
    const affected = Number.parseInt(text.slice(text.lastIndexOf(' ') + 1), 10) || 0
    this.#results.push({ rows: this.#rows, affected })
    this.#rows = []
    this.#columns = []
    this.#expect(this.#results.length)
  }

  handleReadyForQuery(): void {
    const [first] = this.#results
    if (first !== undefined) first.elapsedMs = performance.now() - this.#sentAtMs
    if (this.#failure === null) this.#end()?.resolve(this.#results)
    else this.#end()?.reject(this.#failure)
  }

  handleError(error: unknown): void {
    // The server has not prepared what it has skipped.
    for (const { name } of this.#statements.slice(this.#results.length))
      delete this.#connection?.submittedNamedStatements[name]
    this.#end()?.reject(error)
  }

  expire(): void {
    if (this.#pending === null) return
    this.handleError(new Error('Query read timeout'))
    this.#connection?.stream.destroy()
  }

  #expect(index: number): void {
    const next = this.#statements[index]
    if (next === undefined) return
    this.name = next.name
    this.text = next.text
  }

  #end() {
    const pending = this.#pending
    this.#pending = null
    clearTimeout(pending?.timer)
    return pending
  }
}

// The types of `pg` declare it as a property, so that a class could override it only by a closure for each request.
Request.prototype.submit = function submit(this: Request, connection: pg.Connection) {
  return this.send(connection as Connection) // its types leave members out
} as typeof Request.prototype.submit

/** An answer that has arrived during a pause of the process is read first: timers run before sockets are read. */
function expire(request: Request): void {
  setImmediate(() => request.expire())
}

function sendStatement(
  connection: Connection,
  { text, name, returnsRows }: BoundStatement,
  values: Wire[],
): void {
  const { parsedStatements, submittedNamedStatements } = connection
  if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
    connection.parse({ text, name, types: [] }, true)
    if (name !== '') submittedNamedStatements[name] = text
  }
  connection.bind({ statement: name, values }, true)
  if (returnsRows) connection.describe({ type: 'P' }, true)
  connection.execute({}, true)
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  if (columns.length < fields.length) throw new Error('A statement returns rows without a description.')
  const row: Row = {}
  columns.forEach(({ name, parse }, index) => {
    const text = fields[index] ?? null
    row[name] = text === null ? null : parse(text)
  })
  return row
}
