import type { FastifyInstance } from 'fastify'

/** One line a request when it is over. Headers and bodies, and so tokens and passwords, are never in it. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    const level = statusCode >= 500 ? 'error' : statusCode >= 400 ? 'warn' : 'info'
    request.log[level](
      {
        method: request.method,
        path: pathOf(request.url),
        status: statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        client: request.ip,
        ...(request.admitted !== null && {
          tenantId: request.admitted.tenant.id,
          userId: request.admitted.actor?.id,
        }),
      },
      'request',
    )
    done()
  })
}

/** Without the query, where people put what belongs into headers. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
