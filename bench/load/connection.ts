/**
 * One kept connection that asks again as soon as it is answered. It reads of HTTP/1.1 only what the compared
 * servers send: a general client needs more time for a request than they do, and would be what is measured.
 */
import { connect, type Socket } from 'node:net'

const headEnd = '\r\n\r\n'
const maxTextCharacters = 16

export interface Caller {
  /** The next request, whole; `null` ends the connection. */
  next(): Uint8Array | null
  /** @param text the first characters of the body */
  answered(status: number, text: string): void
  /** How long to wait before the next request, in milliseconds. */
  pauseMs(): number
}

/** @returns when `caller` has no more requests @throws Error when the connection breaks */
export function keepAsking(port: number, caller: Caller): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: 'localhost', noDelay: true })
    const ask = () => {
      const request = caller.next()
      if (request !== null) return void socket.write(request)
      socket.off('close', broken).destroy()
      resolve()
    }
    const askInTime = () => {
      const ms = caller.pauseMs()
      if (ms > 0) setTimeout(ask, ms)
      else ask()
    }
    const broken = () => reject(new Error('The server closed a connection.'))
    readAnswers(socket, (status, text) => {
      caller.answered(status, text)
      askInTime()
    })
    socket.once('connect', askInTime).once('error', reject).once('close', broken)
  })
}

function readAnswers(socket: Socket, answered: Caller['answered']): void {
  let head = ''
  let text = ''
  let missing = 0
  let status = 0
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length
    } else {
      head += chunk.toString('latin1')
      const end = head.indexOf(headEnd)
      if (end < 0) return
      status = Number(head.slice(9, 12))
      const body = end + headEnd.length
      text = head.slice(body, body + maxTextCharacters)
      missing = bodyLength(head, end) - (head.length - body)
      head = ''
    }
    if (missing === 0) answered(status, text)
  })
}

function bodyLength(head: string, end: number): number {
  const length = /^content-length: (\d+)/im.exec(head.slice(0, end))?.[1]
  if (length === undefined) throw new Error(`An answer without its length: ${head.slice(0, end)}`)
  return Number(length)
}
