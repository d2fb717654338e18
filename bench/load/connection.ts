/**
 * One kept connection that asks again as soon as it is answered. It reads of HTTP/1.1 only what the compared
 * servers send: a general client needs more time for a request than they do, and would be what is measured.
 */
import { connect, type Socket } from 'node:net'
import { type Answer, answerIn } from './answer.ts'

export interface Caller {
  /** The next request, whole; `null` ends the connection. */
  next(): Uint8Array | null
  answered(answer: Answer): void
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
    readAnswers(socket, (answer) => {
      caller.answered(answer)
      askInTime()
    })
    socket.once('connect', askInTime).once('error', reject).once('close', broken)
  })
}

function readAnswers(socket: Socket, answered: Caller['answered']): void {
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (part: Buffer) => {
    received = received.length === 0 ? part : Buffer.concat([received, part])
    const answer = answerIn(received)
    if (answer === null) return
    received = Buffer.alloc(0)
    answered(answer)
  })
}
