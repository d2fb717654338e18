import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'

/** JSON bodies: UTF-8 that is none is refused rather than altered, and so are keys that poison prototypes. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') return done(encoded(), undefined)
    const bytes = body as Buffer // as asked for by `parseAs`
    if (!isUtf8(bytes)) return done(new ServiceError('invalid', 'The body is not valid UTF-8.'), undefined)
    void parse(request, bytes.toString(), done)
  })
}

function encoded(): ServiceError {
  return new ServiceError('unsupportedMediaType', 'A body is taken as it is, without Content-Encoding.')
}

/** For routes that judge the bytes themselves: of any type, up to a limit of their own. */
export function keepBodiesRaw(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) => done(null, body))
}
