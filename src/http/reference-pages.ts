/** The reference pages and the document behind them: nothing in them comes from another host. */
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packageFolder } from '../version.ts'
import { contentTag, isUnchanged } from './etag.ts'

const ours = new URL('assets/reference/', packageFolder)
const swaggerUi = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))

/** What is served where. @fastify/static would do it too, for 40 ms of every start. */
const files: Record<string, URL> = {
  '/swagger': new URL('swagger.html', ours),
  ...below('/swagger', ours, 'swagger.js', 'document.js'),
  ...below('/swagger', swaggerUi, 'swagger-ui.css', 'swagger-ui-bundle.js'),
  '/api-docs': new URL('api-docs.html', ours),
  ...below('/api-docs', ours, 'api-docs.css', 'api-docs.js', 'document.js', 'dom.js'),
  ...below('/api-docs', ours, 'operation.js', 'prose.js', 'request.js', 'schema.js'),
}

const documentAddress = '/swagger/v1/swagger.json'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self'",
  "font-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** @param document the OpenAPI document as text; asked for when its first reader comes */
export function registerReferencePages(app: FastifyInstance, document: () => string): void {
  for (const [address, file] of Object.entries(files)) {
    const type = extname(file.pathname)
    app.get(address, async (request, reply) => {
      if (type === '.html') reply.header('content-security-policy', pagePolicy)
      return sendText(request, reply, type, await readFile(file, 'utf8'))
    })
  }
  for (const address of ['/swagger', '/api-docs']) {
    app.get(`${address}/`, (_request, reply) => reply.redirect(`..${address}`, 308))
  }
  app.get(documentAddress, (request, reply) => sendText(request, reply, '.json', document()))
}

function below(address: string, folder: URL, ...names: string[]): Record<string, URL> {
  return Object.fromEntries(names.map((name) => [`${address}/${name}`, new URL(name, folder)]))
}

function sendText(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  const tag = contentTag(text)
  reply.header('etag', tag)
  if (isUnchanged(request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.header('content-type', types[type]).send(text)
}
