/** Prepares `BEGIN` on each connection before its first use, which shows whether a pooler keeps prepared statements. */
import pg from 'pg'
import { begin } from './request.ts'

export function prepareBegin(client: pg.Client): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null): void => (error === null ? resolve(null) : reject(error))
    client.query(Object.assign(new PrepareBegin(begin), { callback }))
  })
}

class PrepareBegin extends pg.Query {
  override submit = (connection: pg.Connection): void => {
    connection.parse({ ...begin, types: [] }, true)
    connection.sync()
  }
}
