/** The console: one page, and the files that it loads. It calls the endpoints of the service like any other client. */

import { existsSync, readdirSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../api/http/addresses.ts'
import { mediaTypeNegotiator } from '../api/http/reply/negotiate.ts'
import { fileSender } from '../api/http/static-file.ts'
import { refusal } from '../core/errors.ts'
import { errorCode } from '../database/thrown.ts'
import { packageFolder } from '../database/version.ts'
import type { Frame } from './frame/frame.ts'
import { serveFrames } from './frame/serve.ts'

const folder = new URL('dist/console/', packageFolder)
const assets = new URL('assets/', folder)
/** The page that shows all components of the console to its developers. Published packages do not have it. */
const components = new URL('dist/console-components/', packageFolder)

/** The names of these files contain a digest of their content. */
const lasting = { 'cache-control': 'public, max-age=31536000, immutable' }

interface Portals {
  /** The origins whose pages may embed a session of the webhook portal; none for a session that does not exist. */
  originsOf(id: string): Promise<readonly string[]>
}

interface ServingOptions {
  basePath: string
  portals: Portals
  /** Whether `/console/components` shows every component in all its states. */
  inDevelopment: boolean
  /** Pages and panels of the application. */
  frames: readonly Frame[]
}

/** Serves the same page at every address below `/console`: the page chooses by its address what it shows. */
export function registerConsole(app: FastifyInstance, options: ServingOptions): void {
  const { basePath, portals, frames } = options
  const folders = [assets]
  if (options.inDevelopment && existsSync(components)) {
    folders.push(new URL('assets/', components))
    const page = new URL('index.html', components)
    app.get(
      '/console/components',
      fileSender(page, {}, (content) => belowBasePath(content, basePath)),
    )
  }
  const sendFile = fileSender(new URL('index.html', folder), {}, (page) =>
    belowBasePath(frames.length === 0 ? page : withFrames(page), basePath),
  )
  serveFrames(app, frames, { readsAnew: options.inDevelopment })
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => sendFile(request, reply)
  app.get('/console', sendPage)
  app.get('/console/*', sendPage)
  const sendEmbedded = async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) =>
    sendFile(request, reply, isAsWritten(request) ? await portals.originsOf(request.params.id) : [])
  app.get('/console/embed/:id', sendEmbedded)
  app.get('/console/embed/:id/*', sendEmbedded)
  const files = new Map(
    folders.flatMap((from) =>
      namesOf(from).map((name) => [name, fileSender(new URL(name, from), lasting)] as const),
    ),
  )
  app.get('/console/assets/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const send = files.get(request.params.name)
    if (send === undefined) throw refusal('nothingHere')
    return send(request, reply)
  })
  app.get('/', { config: { isForBrowsers: true } }, (request, reply) => {
    // Without a base path the address is relative, so that it also works below a path that a proxy takes off.
    if (preferredType(request.headers.accept) === 'text/html')
      return reply.redirect(basePath === '' ? 'console' : `${basePath}/console`, 302)
    reply.callNotFound()
    return reply
  })
}

/** Marks the page, so that the console asks for frames only if the application has some. */
function withFrames(page: Buffer): Buffer {
  return Buffer.from(page.toString().replace('<html ', '<html data-frames '))
}

/** Prefixes the addresses in the page. They are absolute, because the page is served at addresses of any depth. */
function belowBasePath(page: Buffer, basePath: string): Buffer {
  return basePath === ''
    ? page
    : Buffer.from(page.toString().replaceAll('="/console/', `="${basePath}/console/`))
}

/**
 * The page compares the address as it was sent, without decoding it: under `/console/%65mbed/` it would be the whole
 * console, which nobody may embed.
 */
function isAsWritten({ url, params }: FastifyRequest<{ Params: { id: string } }>): boolean {
  const page = `/console/embed/${params.id}`
  const path = pathOf(url)
  return path === page || path.startsWith(`${page}/`)
}

/** Tells browsers, which are redirected to the console, from other clients. */
const preferredType = mediaTypeNegotiator(['application/json', 'text/html'])

/** @returns none where the console is not built */
function namesOf(directory: URL): string[] {
  try {
    return readdirSync(directory).filter((name) => !name.endsWith('.br'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
