/**
 * Sends several statements to the server in one request. The server skips those after one that fails. Without BEGIN,
 * the statements of a request are a transaction of their own.
 *
 * The driver `pg` makes closures for each query, which keep its rows alive until a full garbage collection: that
 * took a quarter of the processor time of a list. Here a request keeps its state in fields.
 */
import { hash } from 'node:crypto'
import pg from 'pg'
import type { Row, StatementResult } from '../executor.ts'
import { MessageWriter, type WireValue } from './message-writer.ts'
import { types } from './types.ts'

export interface BoundStatement {
  readonly text: string
  /** A connection keeps a statement with a name prepared. */
  readonly name: string
  readonly returnsRows: boolean
  readonly values: readonly unknown[]
}

/**
 * The columns that the prepared statements of a session return, by the names of the statements. They stay the same:
 * the server refuses a statement whose columns have changed since it was prepared. `null`: a pooler may choose
 * another session.
 */
export type Descriptions = Map<string, readonly Column[]> | null

interface Column {
  name: string
  parse: (text: string) => unknown
}

interface Receiver {
  readonly client: pg.Client
  readonly descriptions: Descriptions
}

/** @throws what `pg` throws; the connection is closed when the server has not answered in time */
export function send(
  { client, descriptions }: Receiver,
  statements: readonly BoundStatement[],
  timeoutMs: number,
): Promise<StatementResult[]> {
  const request = new Request(statements, descriptions)
  const answer = request.begin(timeoutMs)
  client.query(request as unknown as pg.Query) // it has what `pg` calls
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

/**
 * The name is a digest of the text: behind a pooler, another process may have prepared a statement of the same name.
 */
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
/** The COMMIT. `Request` turns its answer into an error if the server has rolled back instead. */
export const commit: BoundStatement = { text: 'COMMIT', name: 'COMMIT', returnsRows: false, values: [] }

/** A function of `pg` that its types leave out. */
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): WireValue } }).utils

const writer = new MessageWriter()

interface Connection extends pg.Connection {
  /** The statements that the server has prepared, and those that it was sent, by their names. */
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}

class Request {
  /** The name of the statement whose answer is awaited. `pg` reads it to record what the server has prepared. */
  name = ''
  text = ''
  readonly #statements: readonly BoundStatement[]
  readonly #descriptions: Descriptions
  readonly #results: StatementResult[] = []
  #rows: Row[] = []
  /** The columns of the rows that are awaited; `null` before they are described. */
  #columns: readonly Column[] | null = null
  /** An error that was found while the answer is read. The request still waits for the end of the answer. */
  #failure: unknown = null
  #connection: Connection | null = null
  #sentAtMs = 0
  /** `null` before the request is sent, and after it is answered. */
  #pending: {
    timer: NodeJS.Timeout
    resolve(results: StatementResult[]): void
    reject(error: unknown): void
  } | null = null

  constructor(statements: readonly BoundStatement[], descriptions: Descriptions) {
    this.#statements = statements
    this.#descriptions = descriptions
    this.#expect(0)
  }

  begin(timeoutMs: number): Promise<StatementResult[]> {
    const { promise, resolve, reject } = Promise.withResolvers<StatementResult[]>()
    this.#pending = { timer: setTimeout(expire, timeoutMs, this), resolve, reject }
    return promise
  }

  /** @returns an error if nothing was sent */
  submit(connection: Connection): unknown {
    this.#connection = connection
    this.#sentAtMs = performance.now()
    const [only, second] = this.#statements
    // The text of a statement that is neither prepared nor has values may contain several.
    if (second === undefined && only?.name === '' && only.values.length === 0) {
      connection.query(only.text)
      return null
    }
    try {
      const values = this.#statements.map((statement) => statement.values.map(toWire))
      for (const [index, statement] of this.#statements.entries())
        this.#write(connection, statement, values[index] ?? [])
      writer.sync()
      const messages = writer.take()
      if (connection.stream.writable) connection.stream.write(messages)
      return null
    } catch (error) {
      writer.take() // and is not sent
      return error
    }
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: types.getTypeParser(dataTypeID) }))
    if (this.name !== '') this.#descriptions?.set(this.name, this.#columns)
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    try {
      this.#columns ??= this.#descriptions?.get(this.name) ?? []
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
    this.#columns = null
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

  #write(
    { parsedStatements, submittedNamedStatements }: Connection,
    { text, name, returnsRows }: BoundStatement,
    values: readonly WireValue[],
  ): void {
    if (name === '' || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
      writer.parse(name, text)
      if (name !== '') submittedNamedStatements[name] = text
    }
    writer.bind(name, values)
    if (returnsRows && this.#descriptions?.has(name) !== true) writer.describe()
    writer.execute()
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

// On a connection with pipelining, `pg` accepts only instances of its class. Its constructor would only cost time.
Object.setPrototypeOf(Request.prototype, pg.Query.prototype)

/** Expires after sockets were read: during a pause of the process the answer may have arrived, and timers run first. */
function expire(request: Request): void {
  setImmediate(() => request.expire())
}

function toWire(value: unknown): WireValue {
  return typeof value === 'string' || value === null ? value : prepareValue(value)
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Row {
  if (columns.length < fields.length) throw new Error('A statement returns rows without a description.')
  const row: Row = {}
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}
