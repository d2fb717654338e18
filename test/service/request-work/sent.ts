/** Counts what this process sends to PostgreSQL, from the import of this module on. */
import { Socket } from 'node:net'
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

/** Only requests to PostgreSQL are buffers: replies are text. */
const { write } = Socket.prototype
Socket.prototype.write = function countedWrite(this: Socket, ...given: unknown[]) {
  const [chunk] = given
  if (Buffer.isBuffer(chunk)) sent.messages += messagesIn(chunk)
  return Reflect.apply(write, this, given)
} as typeof write

/** A message is a code, and a length that counts itself. */
function messagesIn(bytes: Buffer): number {
  let count = 0
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) count++
  return count
}
