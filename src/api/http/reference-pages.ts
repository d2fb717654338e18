/** The reference pages and the OpenAPI document. The pages load nothing from other hosts. */
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../core/errors.ts'
import { packageFolder } from '../../core/version.ts'
import { contentTag, isUnchanged } from './reply/etag.ts'
import { mediaTypeNegotiator } from './reply/negotiate.ts'
import { inPieces, slices } from './reply/send-body.ts'

const ownPages = new URL('assets/reference/', packageFolder)
const swaggerUi = new URL('dist/swagger-ui/', packageFolder)
const graphiql = new URL('dist/graphiql/', packageFolder)

/** The file of each address. @fastify/static would add 40 ms to every start. */
const files: Record<string, URL> = {
  '/swagger': new URL('swagger.html', ownPages),
  ...below('/swagger', ownPages, 'swagger.js', 'document.js', 'dom.js', 'sign-in.css', 'sign-in.js'),
  ...below('/swagger', swaggerUi, 'swagger-ui.css', 'swagger-ui-bundle.js'),
  '/api-docs': new URL('api-docs.html', ownPages),
  ...below('/api-docs', ownPages, 'api-docs.css', 'api-docs.js', 'document.js', 'dom.js', 'home.css'),
  ...below(
    '/api-docs',
    ownPages,
    'operation.js',
    'prose.js',
    'request.js',
    'schema.js',
    'sign-in.css',
    'sign-in.js',
  ),
  '/graphql/ui': new URL('index.html', graphiql),
  ...below('/graphql/ui', graphiql, 'graphiql.css', 'graphiql.js'),
}

const documentAddress = '/swagger/v1/swagger.json'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

/** The 'self' of connect-src is also the WebSocket of subscriptions: same host, ws for http (CSP Level 3). */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** All requests share the bytes of a file. */
interface Content {
  bytes: Buffer
  tag: string
}

/** @param document returns the OpenAPI document as text; called at the first request */
export function registerReferencePages(app: FastifyInstance, document: () => string): void {
  for (const [address, file] of Object.entries(files)) app.get(address, sender(file))
  const sendHome = sender(new URL('home.html', ownPages))
  app.get('/', { config: { isForBrowsers: true } }, (request, reply) => {
    if (preferredType(request.headers.accept) === 'text/html') return sendHome(request, reply)
    reply.callNotFound()
    return reply
  })
  for (const address of ['/swagger', '/api-docs', '/graphql/ui']) {
    app.get(`${address}/`, (_request, reply) => reply.redirect(`../${basename(address)}`, 308))
  }
  let documentContent: Content | null = null
  app.get(documentAddress, (request, reply) => {
    documentContent ??= contentOf(Buffer.from(document()))
    return send(request, reply, '.json', documentContent)
  })
}

/** Only browsers get the page at `/`. */
const preferredType = mediaTypeNegotiator(['application/json', 'text/html'])

function sender(file: URL): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const type = extname(file.pathname)
  let content: Content | null = null
  return async (request, reply) => {
    content ??= contentOf(await readFile(file).catch(refuseUnbuilt))
    if (type === '.html') reply.header('content-security-policy', pagePolicy)
    return send(request, reply, type, content)
  }
}

function below(address: string, folder: URL, ...names: string[]): Record<string, URL> {
  return Object.fromEntries(names.map((name) => [`${address}/${name}`, new URL(name, folder)]))
}

/** Only the files of GraphiQL can be missing: they are not built without the development dependencies. */
function refuseUnbuilt(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'ENOENT') throw cause
  const text = 'This page is not built. In a checkout with all dependencies, "npm run build" does it.'
  throw new ServiceError('notFound', text, { cause })
}

function contentOf(bytes: Buffer): Content {
  return { bytes, tag: contentTag([bytes]) }
}

function send(request: FastifyRequest, reply: FastifyReply, type: string, { bytes, tag }: Content) {
  reply.header('etag', tag)
  if (isUnchanged(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.header('content-type', types[type]).header('content-length', bytes.length)
  return reply.send(inPieces(slices(bytes)))
}
