/** The reference pages and the OpenAPI document. The pages load nothing from other hosts. */
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { packageFolder } from '../../database/version.ts'
import { type Content, contentOf, fileSender, sendContent } from './static-file.ts'

const ownPages = new URL('assets/reference/', packageFolder)
const swaggerUi = new URL('dist/swagger-ui/', packageFolder)
const graphiql = new URL('dist/graphiql/', packageFolder)

/** The file of each address. @fastify/static would add 40 ms to every start. */
const files: Record<string, URL> = {
  '/swagger': new URL('swagger.html', ownPages),
  ...below('/swagger', ownPages, 'swagger.js', 'document.js', 'dom.js', 'sign-in.css', 'sign-in.js'),
  ...below('/swagger', swaggerUi, 'swagger-ui.css', 'swagger-ui-bundle.js'),
  '/api-docs': new URL('api-docs.html', ownPages),
  ...below('/api-docs', ownPages, 'api-docs.css', 'api-docs.js', 'document.js', 'dom.js'),
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

/** The console shows these pages in a frame. */
const embeddedBy = ["'self'"]

const documentAddress = '/swagger/v1/swagger.json'

/** @param document returns the OpenAPI document as text; called at the first request */
export function registerReferencePages(app: FastifyInstance, document: () => string): void {
  for (const [address, file] of Object.entries(files)) {
    const send = fileSender(file)
    app.get(address, (request, reply) => send(request, reply, embeddedBy))
  }
  // A page names its files relative to its address, which therefore has no slash at the end. The redirect is relative too,
  // because browsers may reach the service below a path that a proxy has removed.
  for (const address of ['/swagger', '/api-docs', '/graphql/ui']) {
    app.get(`${address}/`, (_request, reply) => reply.redirect(`../${basename(address)}`, 308))
  }
  let documentContent: Content | null = null
  app.get(documentAddress, (request, reply) => {
    documentContent ??= contentOf(Buffer.from(document()))
    return sendContent(request, reply, '.json', documentContent)
  })
}

function below(address: string, folder: URL, ...names: string[]): Record<string, URL> {
  return Object.fromEntries(names.map((name) => [`${address}/${name}`, new URL(name, folder)]))
}
