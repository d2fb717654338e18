/** The ways into the rows of the application: what the service offers, and how each is tried. */
import { buildClientSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql'
import type { Client } from '../support/client.ts'
import { application, ruledNames } from './application.ts'
import { documentWays } from './documents.ts'
import { listWays, type ReadWay, rowWays } from './lists.ts'
import { overviewWays } from './overview.ts'
import { pathOf } from './scene.ts'

export async function readWays(admin: Client): Promise<ReadWay[]> {
  const [schema, documents] = await Promise.all([schemaOf(admin), admin.get('/swagger/v1/swagger.json')])
  const ofEntities = application.flatMap(({ name, routes, schemas }) => {
    const path = pathOf(routes)
    const listed: { name: string; in: string }[] = documents.body.paths[path].get.parameters
    const parameters = listed.filter((each) => each.in === 'query').map((each) => each.name)
    const members = Object.keys(schemas.row.properties)
    return [
      ...listWays({ entity: name, path, parameters, members }),
      ...rowWays({ entity: name, path }),
      ...documentWays(schema, name),
    ]
  })
  return [...ofEntities, ...overviewWays]
}

export async function schemaOf(admin: Client): Promise<GraphQLSchema> {
  const { body } = await admin.post('/graphql', { query: getIntrospectionQuery() })
  return buildClientSchema(body.data)
}

/** Those of the past, which `past.test.ts` tries. */
export const pastWays: readonly string[] = [
  ...['GET /api/tickets/:id/history', 'GET /api/tickets/:id/history/:version', 'GET /api/tickets/trash'],
  ...['POST /api/tickets/:id/history/:version/restore', 'POST /api/tickets/:id/restore'],
]

/** Those that tell what a caller may do with a row, which `rights.test.ts` tries. */
export const rightWays: readonly string[] = ['tickets', 'reports', 'parcels'].map(
  (plural) => `GET /api/${plural}/:id/rights`,
)

/** Those that change rows, which `writes.ts` tries, and those that follow changes, which `told.test.ts` tries. */
export const writeWays: readonly string[] = application.flatMap(({ name, routes }) => {
  const path = pathOf(routes)
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const acts = name === 'ticket' ? ['close', 'finish'] : []
  const events = [
    'Created',
    'Updated',
    ...(ruledNames.includes(name) ? ['Deleted'] : []),
    ...(name === 'ticket' ? ['Closed', 'Finished', 'Restored'] : []),
  ]
  return [
    ...[`POST ${path}`, `PUT ${path}/:id`, `PATCH ${path}/:id`, `DELETE ${path}/:id`, `POST ${path}/bulk`],
    ...acts.flatMap((action) => [`POST ${path}/:id/${action}`, `Mutation.${action}${type}`]),
    ...['create', 'update', 'delete'].map((verb) => `Mutation.${verb}${type}`),
    ...events.map((event) => `Subscription.on${type}${event}`),
  ]
})
