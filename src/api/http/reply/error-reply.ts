/** Renders all errors: as `{message}`, or as problem details (RFC 9457) for a client that prefers them. */
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { refusal, ServiceError } from '../../../core/errors.ts'
import { DatabaseUnavailable } from '../../../database/executor.ts'
import { UnreadableMember } from '../../../database/read/readable.ts'
import { errorPage } from './error-page.ts'
import { mediaTypeNegotiator } from './negotiate.ts'
import { problemOf } from './problem.ts'

const databaseRetryAfterSeconds = 2
const problemType = 'application/problem+json'
/** Chooses between JSON and problem details. A client that accepts neither gets JSON. */
const preferredType = mediaTypeNegotiator(['application/json', problemType])
const preferredTypeOfPage = mediaTypeNegotiator(['text/html', 'application/json', problemType])

/** Errors of Fastify and Node.js, by code. */
const errorsByCode: Readonly<Record<string, (cause: unknown) => ServiceError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: (cause) => new ServiceError('tooLarge', undefined, { cause }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) => new ServiceError('unsupportedMediaType', undefined, { cause }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) => refusal('otherLength', {}, { cause }),
  FST_ERR_CTP_INVALID_JSON_BODY: (cause) => refusal('bodyNotJson', {}, { cause }),
  FST_ERR_CTP_EMPTY_JSON_BODY: (cause) => refusal('bodyEmpty', {}, { cause }),
  FST_ERR_BAD_URL: (cause) => refusal('badAddressEncoding', {}, { cause }),
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the failure was logged, or counted, already. */
    isReported: boolean
  }
}

/** @param report logs failures of the service, once for each request */
export function errorReplier(
  report: (error: unknown, known: ServiceError, request: FastifyRequest, reply: FastifyReply) => void,
  basePath: string,
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const known = toServiceError(error, request.id)
    replyWithError(known, request, { reply, basePath })
    if (known.status < 500) return
    request.isReported = true
    // An overload is logged where it is detected, once for many requests.
    if (known.kind !== 'overloaded') report(error, known, request, reply)
  }
}

function replyWithError(
  known: ServiceError,
  request: FastifyRequest,
  { reply, basePath }: { reply: FastifyReply; basePath: string },
): void {
  if (known.status === 401) reply.header('www-authenticate', 'Bearer') // the headers of the error may replace it
  if (reply.hasHeader('connection')) keepConnection(reply)
  reply.headers(known.headers).code(known.status)
  const { isPage } = request.routeOptions.config
  const type = (isPage === true ? preferredTypeOfPage : preferredType)(request.headers.accept)
  if (type === 'text/html') {
    reply.header('content-type', 'text/html; charset=utf-8').send(errorPage(known, request.id))
  } else if (type === problemType) {
    reply
      .header('content-type', problemType)
      .send(JSON.stringify({ ...problemOf(known), instance: `${basePath}${request.url}` }))
  } else {
    reply
      .header('content-type', 'application/json; charset=utf-8')
      .send(JSON.stringify({ message: known.message }))
  }
}

/** Fastify closes after a body that was refused. The rest of it is read instead. */
function keepConnection(reply: FastifyReply): void {
  const { raw } = reply
  if (!raw.hasHeader('connection')) reply.header('connection', raw.shouldKeepAlive ? 'keep-alive' : 'close')
}

/** Unexpected errors become a 500 with the request id only. */
export function toServiceError(error: unknown, requestId: string): ServiceError {
  if (error instanceof ServiceError) return error
  if (error instanceof UnreadableMember) return new ServiceError('forbidden', error.message)
  if (error instanceof DatabaseUnavailable) {
    return new ServiceError('unavailable', undefined, {
      cause: error,
      retryAfterSeconds: databaseRetryAfterSeconds,
    })
  }
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError> // absent members get their defaults
  const known = errorsByCode[code]
  if (known !== undefined) return known(error)
  if (statusCode === 400) return refusal('bodyNotJson', {}, { cause: error })
  return refusal('internal', { requestId }, { cause: error })
}
