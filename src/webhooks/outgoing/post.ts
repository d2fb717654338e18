/** One POST over a connection to vetted addresses, without a deadline of its own. */
import http from 'node:http'
import https from 'node:https'
import { type Answer, noAnswer, readAnswer } from './answer.ts'
import type { Connections } from './connection.ts'
import { classOf, classOfStatus, type ErrorClass } from './failure.ts'

export interface Post {
  url: URL
  /** Vetted. */
  addresses: readonly string[]
  headers: Record<string, string>
  body: string
}

export interface Posting {
  /** What has come back so far. */
  answer(): Answer
  /** Closes the connection. */
  abandon(): void
}

const maxHeaderSize = 16 * 1024

/** @param done called once or more often; the first call counts */
export function post(
  { url, addresses, headers, body }: Post,
  connections: Connections,
  done: (errorClass: ErrorClass | null) => void,
): Posting {
  let answer = noAnswer
  let isAbandoned = false
  let outgoing = start(false)

  function start(fresh: boolean): http.ClientRequest {
    const { request } = url.protocol === 'https:' ? https : http
    const options = connections.optionsFor(url, addresses, fresh)
    const started = request({ ...options, method: 'POST', headers, maxHeaderSize })
    started.on('response', (response) => {
      answer = readAnswer(response, (end) => {
        // Still reading the body when the answer is over: the connection is of no further use.
        if (end !== 'complete' || !started.writableFinished) started.destroy()
        done(end === 'broken' ? 'reset' : classOfStatus(answer.status ?? 0))
      })
    })
    started.on('upgrade', (response, socket) => {
      answer = { ...noAnswer, status: response.statusCode ?? null }
      socket.destroy()
      done('status')
    })
    started.on('error', (error) => fail(started, error))
    started.end(body)
    return started
  }

  /** A kept connection may have been closed by the receiver just now: that says nothing of this request. */
  function fail(failed: http.ClientRequest, error: Error): void {
    const isStale = failed.reusedSocket && answer === noAnswer && classOf(error) === 'reset'
    if (isStale && !isAbandoned) outgoing = start(true)
    else done(classOf(error))
  }

  return {
    answer: () => answer,
    abandon: () => {
      isAbandoned = true
      outgoing.destroy()
    },
  }
}
