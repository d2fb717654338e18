/** Counts what this process sends to PostgreSQL, from the import of this module on. */
import pg from 'pg'

export const sent = {
  /** Sent together, and answered together. */
  trips: 0,
  /** Of PostgreSQL's protocol. */
  messages: 0,
}

const { query } = pg.Client.prototype
pg.Client.prototype.query = function countedQuery(this: pg.Client, ...given: unknown[]) {
  sent.trips++
  return Reflect.apply(query, this, given)
} as typeof query
for (const name of ['query', 'parse', 'bind', 'describe', 'execute', 'sync'] as const) {
  const sendMessage = pg.Connection.prototype[name]
  pg.Connection.prototype[name] = function countedMessage(this: pg.Connection, ...given: unknown[]) {
    sent.messages++
    Reflect.apply(sendMessage, this, given)
  }
}
