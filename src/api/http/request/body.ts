/** Parses bodies of requests, and bounds their size by route and caller. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refusal, ServiceError } from '../../../core/errors.ts'
import type { Access, Route } from '../../../core/feature/route.ts'
import { chargeJson } from '../../../core/limits/body-cost.ts'
import type { BodyMemory } from '../../../core/limits/body-memory.ts'
import { callerOf } from '../../../core/limits/caller.ts'
import type { CostAccount, CostLimiter } from '../../../core/limits/cost-limiter.ts'
import { clientNetwork } from '../../../core/network.ts'
import { parseExactJson } from '../../../core/schema/exact-json.ts'
import { receiveBody } from './receive-body.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The largest body that the route accepts from this caller. */
    maxBodyBytes: number
  }
}

export interface BodyParts {
  costLimiter: CostLimiter
  bodyMemory: BodyMemory
}

/**
 * Parses JSON bodies. Invalid UTF-8, and numbers that would not be kept, are refused. A request without content has no
 * media type to refuse.
 */
export function parseJsonBodies(app: FastifyInstance, bodyLimitBytes: number, parts: BodyParts): void {
  app.decorateRequest('maxBodyBytes', bodyLimitBytes)
  app.removeAllContentTypeParsers()
  const parseBody = (request: FastifyRequest, message: IncomingMessage, done: Done): void => {
    const isCompressed = isGzip(request.headers)
    if (!isCompressed && !isPlain(request.headers)) {
      done(unknownCoding())
      return
    }
    receive(request, message, { ...parts, isCompressed }, (error, bytes) => {
      if (error !== null) return done(error)
      if (bytes.length === 0) return done(null, undefined)
      try {
        check(request, bytes, parts)
        done(null, parse(bytes))
      } catch (cause) {
        done(cause as Error) // `check` and `parse` throw nothing else
      }
    })
  }
  app.addContentTypeParser('application/json', parseBody)
  app.addContentTypeParser(mergePatch, (request, message, done) =>
    request.method === 'PATCH' ? parseBody(request, message, done) : done(otherType(request)),
  )
  app.addContentTypeParser('*', (request, _message, done) =>
    hasContent(request) ? done(otherType(request)) : done(null, undefined),
  )
}

type Done = (error: Error | null, body?: unknown) => void

/** RFC 7396: a member is replaced, and `null` clears it, as in any PATCH of the service. */
const mergePatch = 'application/merge-patch+json'

function otherType({ method }: FastifyRequest): ServiceError {
  const headers = method === 'PATCH' ? { 'accept-patch': `application/json, ${mergePatch}` } : {}
  return new ServiceError('unsupportedMediaType', undefined, { headers })
}

function hasContent({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a body comes without a content coding. */
export function isPlain(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  return String(headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
}

function isGzip(headers: Readonly<Record<string, string | string[] | undefined>>): boolean {
  const coding = headers['content-encoding']
  return coding !== undefined && /^(x-)?gzip$/i.test(String(coding)) // RFC 9110, section 8.4.1.3
}

/** The refusal names the codings that are taken (RFC 9110, section 12.5.3). */
function unknownCoding(): ServiceError {
  return refusal(
    'otherEncoding',
    {},
    {
      headers: { 'accept-encoding': 'gzip, identity' },
    },
  )
}

/** Refuses a content coding where the route takes the bytes as they come. @param subject the first words of the message */
export function codedBody(subject: string): ServiceError {
  return refusal(
    'encodedBody',
    { subject },
    {
      headers: { 'accept-encoding': 'identity' },
    },
  )
}

/** Accepts `__proto__` as a member like others: the parser defines it, and so does all code that copies members. */
function parse(bytes: Buffer): unknown {
  const text = bytes.toString()
  try {
    return parseExactJson(text.startsWith(byteOrderMark) ? text.slice(1) : text)
  } catch (cause) {
    throw cause instanceof SyntaxError ? refusal('bodyNotJson', {}, { cause }) : cause
  }
}

const byteOrderMark = '\ufeff'

/** Keeps bodies of any type as bytes, for routes that check them themselves. A signature covers the bytes as they come. */
export function keepBodiesRaw(app: FastifyInstance, parts: BodyParts): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, message, done) => {
    if (isPlain(request.headers)) receive(request, message, { ...parts, isCompressed: false }, done)
    else done(codedBody('This body'))
  })
}

function receive(
  request: FastifyRequest,
  message: IncomingMessage,
  { bodyMemory, isCompressed }: BodyParts & { isCompressed: boolean },
  done: (error: Error | null, bytes: Buffer) => void,
): void {
  const begin = (cut: () => void) => bodyMemory.begin(clientNetwork(request.ip), cut)
  receiveBody(message, { maxBytes: request.maxBodyBytes, isCompressed, begin }, done)
}

/** @throws ServiceError */
function check(request: FastifyRequest, bytes: Buffer, { costLimiter }: BodyParts): void {
  if (!isUtf8(bytes)) throw refusal('bodyNotUtf8')
  chargeJson(bytes, request.maxBodyBytes, () => accountOf(request, costLimiter))
}

function accountOf({ admitted, ip }: FastifyRequest, costLimiter: CostLimiter): CostAccount {
  const { actor = null, tenant } = admitted ?? {}
  return costLimiter.open(callerOf(tenant?.id ?? '', actor, ip))
}

export interface BodyLimits {
  /** The maximum in bytes for a caller with a token. */
  known: number
  /** The maximum in bytes for a caller without one. */
  anonymous: number
}

/** The limits in bytes without a token. A sign-in has a few hundred bytes; a GraphQL document may be longer. */
export const anonymousBytes = { anonymous: 16 * 1024, public: 64 * 1024 }

function anonymousBytesOf(access: Access): number {
  return access === 'anonymous' || access === 'public' ? anonymousBytes[access] : 0
}

/** @param limitBytes the configured limit */
export function bodyLimits({ access, anonymousBodyBytes, rawBody }: Route, limitBytes: number): BodyLimits {
  if (rawBody !== undefined) return { known: rawBody.limitBytes, anonymous: rawBody.limitBytes }
  const anonymous = Math.min(limitBytes, anonymousBodyBytes ?? anonymousBytesOf(access))
  return { known: limitBytes, anonymous }
}
