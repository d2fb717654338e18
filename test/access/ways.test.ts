/** Every way into rows has a recipe, and every other route of the service is one that a permission guards. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type GraphQLField, type GraphQLSchema, getNamedType } from 'graphql'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { mountedRoutes } from '../support/http/mounted-routes.ts'
import { sharedService, startService, type TestService } from '../support/service.ts'
import { application, applicationFeatures } from './application.ts'
import { pastWays, readWays, rightWays, schemaOf, writeWays } from './ways.ts'

/** Resources whose rows have no rules yet: a permission opens all of the tenant, or they are the caller’s own. */
const byPermission = [
  ...['/api/api-keys', '/api/audit', '/api/backups', '/api/events', '/api/figures', '/api/files', '/files'],
  ...['/api/instances', '/api/invitations', '/api/jobs', '/api/mails', '/api/migrations', '/api/operations'],
  ...['/api/orders', '/api/permissions', '/api/roles', '/api/sign-ups', '/api/tenant', '/api/tenants'],
  ...[
    '/api/dead-jobs',
    '/api/dead-letters',
    '/api/dead-mails',
    '/api/tenant-health',
    '/api/tenant-overview',
    '/api/user-attributes',
    '/api/users',
    '/api/webhooks',
    '/api/v1',
  ],
  // Lists that are followed, by rule and row: test/api/live tries them.
  '/api/live',
  // They look into the rows of all entities: test/access/overview.ts tries them.
  ...['/api/search', '/api/home'],
  // Described for each caller.
  '/api/entities',
  // The caller alone, or nobody's rows; views show no rows, and nothing of an entity that the caller may not list.
  ...[
    '/api/preferences',
    '/api/views',
    '/api/auth',
    '/api/init',
    '/auth',
    '/portal',
    '/console',
    '/graphql',
    '/swagger',
    '/api-docs',

    '/.well-known',
  ],
  ...[
    '/health',
    '/healthz',
    '/ready',
    '/metrics',
    '/',
    '/graphiql',
    '/account',
    '/sign-up',
    '/assets',
    '/reference',
  ],
]

onEitherDatabase('The ways into rows', (database) => {
  let service: TestService
  let admin: Client
  let schema: GraphQLSchema
  let known: string[]
  before(async () => {
    service = await startService(database, {}, { features: applicationFeatures })
    admin = (await service.newTenant()).admin
    schema = await schemaOf(admin)
    known = [...(await readWays(admin)).map(({ name }) => name), ...writeWays, ...pastWays, ...rightWays]
  })
  after(() => service.stop())

  const isKnown = (way: string) => known.some((name) => name === way || name.startsWith(`${way} `))

  it('each have a recipe', () => {
    const routes = application.flatMap(({ routes: own }) =>
      own.map(({ method, path }) => `${method} ${path}`),
    )
    const fields = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
      (type) =>
        Object.values(type?.getFields() ?? {})
          .filter((field) => isOfApplication(rowsOf(field)))
          .map((field) => `${type?.name}.${field.name}`),
    )
    assert.ok(routes.length > 50 && fields.length > 70, `${routes.length} routes and ${fields.length} fields`)
    assert.deepEqual(
      [...routes, ...fields].filter((way) => !isKnown(way)),
      [],
      'write into test/access how these are tried',
    )
  })

  it('have no arguments that the recipes do not give', () => {
    const subscriptions = Object.values(schema.getSubscriptionType()?.getFields() ?? {})
    const followed = subscriptions.flatMap(({ args }) => args.map(({ name }) => name))
    assert.deepEqual([...new Set(followed)], ['where'])
    const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
    const names = queries
      .filter((field) => isOfApplication(getNamedType(field.type).name))
      .flatMap(({ args }) => args.map(({ name }) => name))
    assert.deepEqual([...new Set(names)].toSorted(), [
      'after',
      'before',
      'first',
      'groupBy',
      'id',
      'last',
      'order',
      'where',
    ])
    for (const { name } of application) {
      const figures = Object.keys(
        (
          schema.toConfig().types.find((type) => type.name === `${capital(name)}Aggregate`) as
            | { getFields?(): object }
            | undefined
        )?.getFields?.() ?? {},
      )
      assert.deepEqual(
        figures.toSorted().filter((each) => each !== 'sum' && each !== 'avg'),
        ['count', 'key', 'max', 'min'],
      )
    }
  })

  it('are all there are: a permission guards the rest of the service', async () => {
    const plain = await sharedService(database)
    try {
      const others = mountedRoutes(plain.service.app).map((each) => each.split(' ')[1] ?? '')
      const unruled = plain.service.features
        .filter(({ statesRows }) => statesRows === false)
        .flatMap(({ routes = [] }) => routes.map(({ path }) => path))
      assert.ok(unruled.includes('/api/products'))
      const unknown = others.filter(
        (path) =>
          !unruled.includes(path) &&
          !byPermission.some((each) => path === each || path.startsWith(`${each}/`)),
      )
      assert.deepEqual([...new Set(unknown)], [])
    } finally {
      await plain.stop()
    }
  })
})

/** @returns the name of their type; of deleted rows, that of the type by which they are filtered */
function rowsOf({ type, args }: GraphQLField<unknown, unknown>): string {
  const { name } = getNamedType(type)
  if (name !== 'DeletedRow') return name
  return String(args.find((each) => each.name === 'where')?.type).replace('FilterInput', '')
}

function isOfApplication(type: string): boolean {
  return application.some(({ name }) =>
    [`${capital(name)}`, `${capital(name)}Connection`, `${capital(name)}Aggregate`].includes(type),
  )
}

function capital(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
