/** Serves the metrics on a separate port, so that a proxy need not filter their path. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { newId } from '../../../core/id.ts'
import { errorCode } from '../../../database/thrown.ts'
import { securityHeaders } from '../reply/security-headers.ts'
import { addressesOf, CannotListen, describeListenError } from './listener.ts'

export interface RenderedMetrics {
  type: string
  render(): Promise<string>
}

/** Few scrapers connect. */
const maxConnections = 32
const timeoutMs = 10_000
const maxHeaderBytes = 8 * 1024

export class MetricsListener {
  readonly #metrics: RenderedMetrics
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #servers: Server[] = []

  constructor(metrics: RenderedMetrics, log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#metrics = metrics
    this.#log = log
  }

  /** @param host `localhost` stands for its addresses of both families @throws CannotListen */
  async listen(host: string, port: number): Promise<void> {
    try {
      const [first = host, ...others] = await addressesOf(host)
      await this.#listenAt(first, port)
      for (const address of others) await this.#listenAt(address, port).catch(refuseUnlessMissing)
    } catch (error) {
      throw new CannotListen(describeListenError(error, host, { name: 'METRICS_PORT', port }), {
        cause: error,
      })
    }
  }

  async #listenAt(host: string, port: number): Promise<void> {
    const options = { requestTimeout: timeoutMs, headersTimeout: timeoutMs, maxHeaderSize: maxHeaderBytes }
    const server = createServer(options, (request, response) => void this.#answer(request, response))
    server.maxConnections = maxConnections
    this.#servers.push(server)
    await once(server.listen({ host, port }), 'listening')
    // A connection that cannot be accepted must not stop the service.
    server.on('error', (error) => this.#log.warn({ err: error }, 'connection not accepted'))
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      if (!server.listening) continue
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    }
  }

  async #answer({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeaders(new Map(Object.entries({ ...securityHeaders, 'x-request-id': newId() })))
    const [path] = (url ?? '').split('?')
    if (path !== '/metrics') return refuse(response, 404, 'Only /metrics is served here.')
    if (method !== 'GET' && method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return refuse(response, 405, 'The method is not allowed here.')
    }
    try {
      const text = await this.#metrics.render()
      response.setHeader('content-type', this.#metrics.type).end(text)
    } catch {
      refuse(response, 500, 'The metrics cannot be read.')
    }
  }
}

/** The name may have an address that the machine does not have. @throws any other error */
function refuseUnlessMissing(error: unknown): void {
  if (errorCode(error) !== 'EADDRNOTAVAIL') throw error
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify({ message }))
}
