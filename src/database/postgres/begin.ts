/**
 * Sends `BEGIN` and the first statement as one request: the server skips the statement if `BEGIN` fails. Of two
 * pipelined queries, the second could run without the first.
 */
import pg from 'pg'

const begin = { name: 'begin', text: 'BEGIN' }

/** Prepares a connection, once, for `beginWith`. */
export function prepareBegin(client: pg.Client): Promise<unknown> {
  return settled(client, new PrepareBegin(begin))
}

/** Begins a transaction and runs its first statement. */
export async function beginWith(client: pg.Client, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const results = await settled(client, new BeginAndRun({ ...query, ...extended }))
  const result = Array.isArray(results) ? results.at(-1) : results
  return result as pg.QueryResult // the result of the statement follows that of BEGIN
}

/** Otherwise `pg` sends a statement without parameters as a separate request. Its types omit this option. */
const extended = { queryMode: 'extended' }

class PrepareBegin extends pg.Query {
  override submit = (connection: pg.Connection): void => {
    connection.parse({ ...begin, types: [] }, true)
    connection.sync()
  }
}

class BeginAndRun extends pg.Query {
  override submit = (connection: pg.Connection): void => {
    connection.stream.cork()
    connection.bind({ statement: begin.name }, true)
    connection.execute({}, true)
    pg.Query.prototype.submit.call(this, connection)
    connection.stream.uncork()
  }
}

function settled(client: pg.Client, query: pg.Query): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, results: unknown): void =>
      error === null ? resolve(results) : reject(error)
    client.query(Object.assign(query, { callback }))
  })
}
