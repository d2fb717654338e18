/**
 * `BEGIN` in the round trip of the first statement. Both are one request to the server, which skips the statement when
 * `BEGIN` fails: of two queries sent without waiting, the second one could run alone.
 */
import pg from 'pg'

const begin = { name: 'begin', text: 'BEGIN' }

/** To be called once for each connection, before `beginWith`. */
export function prepareBegin(client: pg.Client): Promise<unknown> {
  return settled(client, new PrepareBegin(begin))
}

/** Begins a transaction and runs its first statement. */
export async function beginWith(client: pg.Client, query: pg.QueryConfig): Promise<pg.QueryResult> {
  const results = await settled(client, new BeginAndRun({ ...query, ...extended }))
  const result = Array.isArray(results) ? results.at(-1) : results
  return result as pg.QueryResult // that of the statement, after that of BEGIN
}

/** Otherwise a statement without parameters would be a request of its own. The types of `pg` leave it out. */
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
