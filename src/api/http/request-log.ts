/** Logs finished requests, and failures of the service with their causes. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Actor } from '../../core/context.ts'
import type { ServiceError } from '../../core/errors.ts'
import type { FailureLog } from '../../core/log/failure-log.ts'
import { pathOf } from './addresses.ts'
import type { ReplyEnd } from './reply-end.ts'

/**
 * Logs one line for each finished request, without headers and bodies, and so without tokens and passwords. Lines are
 * formatted here, and those of one turn of the event loop are written together: logging each by itself would cost as
 * much as finding a row.
 */
export function logRequests(app: FastifyInstance, end: ReplyEnd, log: Logger): void {
  const { [pino.symbols.streamSym]: stream } = log as unknown as Streaming // every pino logger has it; its types omit it
  let lines = ''
  let time = ''
  const write = (): void => {
    stream.write(lines)
    lines = ''
  }
  app.decorateRequest('isReported', false)
  end.add((request, reply) => {
    if (request.isReported) return
    const level = levelOf(reply.statusCode)
    if (log.isLevelEnabled(level)) {
      if (lines === '') {
        setImmediate(write)
        time = new Date().toISOString()
      }
      lines += `{"level":${pino.levels.values[level]},"time":"${time}",${describe(request, reply)},"msg":"request"}\n`
    }
  })
}

/** Logs a request that the service failed, with its cause. */
export function reportFailures(failures: FailureLog) {
  return (error: unknown, known: ServiceError, request: FastifyRequest, reply: FastifyReply): void => {
    const { admitted } = request
    const database = admitted?.tenant.hasOwnDatabase === true ? admitted.tenant.id : ''
    failures.report(error, known, database, JSON.parse(`{${describe(request, reply)}}`))
  }
}

interface Streaming {
  [pino.symbols.streamSym]: DestinationStream
}

function levelOf(status: number): 'info' | 'warn' | 'error' {
  return status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info'
}

/** Only the path may need escapes: the ids and the address are validated. */
function describe(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): string {
  const { admitted, id, ip, method } = request
  const ms = Math.round(elapsedTime * 10) / 10
  const caller = !admitted ? '' : `,"tenantId":"${admitted.tenant.id}"${userOf(admitted.actor)}`
  // Without the query, which may contain secrets.
  const path = JSON.stringify(pathOf(request.url))
  return `"requestId":"${id}","method":"${method}","path":${path},"status":${statusCode},"ms":${ms},"client":"${ip}"${caller}`
}

/** The names of the ids of callers that are no users, by the kind of their credential. */
const idNames: Readonly<Record<string, string>> = { apiKey: 'apiKeyId', portal: 'portalSessionId' }

function userOf(actor: Actor | null): string {
  if (actor === null) return ''
  return `,"${idNames[actor.credential.kind] ?? 'userId'}":"${actor.id}"`
}
