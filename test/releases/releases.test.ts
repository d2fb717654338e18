/** A release is held: nothing that it promised goes, and no migration of it changes. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isOlder } from '../../src/database/migrate/plan.ts'
import { version } from '../../src/database/version.ts'
import { readDocument } from '../documents/markdown.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { versionNames } from '../versions/fixture.ts'
import { breachesOf } from './breach.ts'
import { contractOf } from './contract.ts'
import { type ContractLine, contractText } from './contract-line.ts'
import { openApiContract } from './openapi-contract.ts'
import { deprecations, presentMigrations, releases } from './released.ts'
import { schemaContract } from './schema-contract.ts'

/**
 * Migrations that change no table, or only an index of one, or add a column that may be NULL: every release works with
 * them, and they say so.
 */
const leavesTables = new Set(['entity-0002', 'file-0002', 'mail-0004'])

describe('The last release', () => {
  const all = releases()
  const last = all.at(-1)
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  test('is this version or the one before, and the changelog has a section for it', () => {
    assert.ok(last !== undefined && !isOlder(version, last.version), `${last?.version}`)
    for (const each of all)
      assert.match(readDocument('CHANGELOG.md'), new RegExp(`^## \\[?${each.version}\\b`, 'm'))
  })

  test('and each before this version have left a database of theirs, which is upgraded', () => {
    const kept = versionNames()
    const missing = all.filter((each) => isOlder(each.version, version) && !kept.includes(each.version))
    assert.deepEqual(
      missing.map((each) => each.version),
      [],
      'Run npm run version-fixture on a checkout of the tag.',
    )
  })

  test('promised nothing that is missing, and demands that are new', () => {
    const announced = deprecations()
    for (const each of announced)
      assert.ok(
        all.some((release) => release.version === each.announced),
        `releases/deprecations.json: ${each.announced} is no release, so that nobody was told of ${each.line}`,
      )
    const lines = new Set(announced.map(({ line }) => line))
    const breaches = breachesOf(last?.contract ?? '', contractText(contractOf(service.service.features)))
    assert.deepEqual(
      breaches.filter(({ line }) => !lines.has(line)).map(({ message }) => message),
      [],
      `Version ${last?.version} has promised this. Keep it; or announce its end in a release, and then name it in releases/deprecations.json.`,
    )
  })

  test('had no migration that has changed, has another name, or is gone', () => {
    const present = presentMigrations(service)
    for (const release of all)
      for (const [name, digest] of Object.entries(release.migrations))
        assert.equal(
          present[name],
          digest,
          `Migration ${name} of version ${release.version} is applied out there: restore it as it was, and write a further one.`,
        )
  })

  test('had every migration that says nothing of the oldest version that works on its tables', () => {
    const known = new Set(all.flatMap((release) => Object.keys(release.migrations)))
    const migrations = service.service.features.flatMap(({ migrations: own = [] }) => own)
    const silent = migrations.filter(
      ({ name, oldestVersion }) => !known.has(name) && oldestVersion === '0.2.0' && !leavesTables.has(name),
    )
    assert.deepEqual(
      silent.map(({ name }) => name),
      [],
      'Set oldestVersion: the oldest version of Tenantry that works on the tables that the migration leaves.',
    )
  })
})

describe('A breach', () => {
  let service: TestService
  let contract = ''
  before(async () => {
    service = await sharedService('sqlite')
    contract = contractText(contractOf(service.service.features))
  })
  after(() => service.stop())

  const schema = `
    type Query { product(id: ID!): Product  products(first: Int): [Product!]! }
    type Product { id: ID!  name: String! }
    input ProductInput { name: String!  note: String }
    enum Order { ASC DESC }`
  const released = schemaContract(schema)
  const removals: [what: string, text: string, left: string, found: string][] = [
    ['a field', '  name: String! }', ' }', 'missing: Product.name: String!'],
    ['a member', '  note: String', '', 'missing: ProductInput accepts note: String'],
    ['a choice', ' DESC', '', 'missing: Order.DESC'],
    ['an argument', '(first: Int)', '', 'missing: Query.products accepts first: Int'],
  ]
  for (const [what, text, left, found] of removals)
    test(`of a schema is ${what} that is gone`, () => {
      assert.deepEqual(messages(released, schemaContract(schema.replace(text, left))), [found])
    })

  test('of a schema is a type that may be null, a required member and a required argument', () => {
    const now = schemaContract(
      schema
        .replace('id: ID!  name', 'id: ID  name')
        .replace('note: String', 'note: String!  sku: String!')
        .replace('(first: Int)', '(first: Int, order: Order!)'),
    )
    assert.deepEqual(messages(released, now), [
      'missing: Product.id: ID!',
      'new demand: Query.products requires order',
      'new demand: ProductInput.note is required',
      'new demand: ProductInput.sku is required',
    ])
  })

  test('of a schema is nothing that is new and need not be used', () => {
    const now = schemaContract(
      schema
        .replace('note: String', 'note: String  sku: String  size: Int! = 1')
        .replace('enum', 'input Other { a: Int! } type More { b(c: Int!): Int } enum'),
    )
    assert.deepEqual(messages(released, now), [])
  })

  const kinds = {
    'an export': /^tenantry: \w+ = /,
    'a function, whose signature is of it': /^tenantry: \w+\(/,
    'a member of an exported type': /^tenantry: \w+\.\w+/,
    'an export for tests': /^tenantry\/testing: /,
    'a setting': /^setting \w+$/,
    'a command': /^command [\w ]+$/,
    'an option of a command': /^command [\w ]+ --/,
    'an event': /^event [\w.]+$/,
    'a member of an event': /^event [\w.]+ data\./,
  }
  for (const [what, pattern] of Object.entries(kinds))
    test(`of what is released is ${what} that is gone or another`, () => {
      const lines = contract.split('\n')
      const line = lines.find((each) => pattern.test(each)) ?? ''
      assert.notEqual(line, '')
      const missing = [{ line, message: `missing: ${line}` }]
      for (const left of [[], [`${line} | null`]])
        assert.deepEqual(
          breachesOf(contract, lines.flatMap((each) => (each === line ? left : [each])).join('\n')),
          missing,
        )
    })

  const openApi = {
    paths: {
      '/api/products': {
        post: {
          parameters: [{ name: 'dry', in: 'query', schema: { type: 'boolean' } }],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/NewProduct' } } },
          },
          responses: {
            '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Product' } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        NewProduct: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', maxLength: 200 } },
        },
        Product: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      },
    },
  }
  type Change = (document: typeof openApi) => unknown
  const schemas = ({ components }: typeof openApi) => components.schemas
  const documents: [what: string, change: Change, found: string[]][] = [
    ['nothing', () => undefined, []],
    [
      'an answer without a member',
      (document) => Object.assign(schemas(document).Product, { required: [], properties: {} }),
      ['missing: POST /api/products 201.id: string'],
    ],
    [
      'an answer with a member of another type',
      (document) => Object.assign(schemas(document).Product.properties.id, { type: 'integer' }),
      ['missing: POST /api/products 201.id: string'],
    ],
    [
      'a member that is required',
      (document) =>
        Object.assign(schemas(document).NewProduct.properties, { sku: { type: 'string' } }) &&
        schemas(document).NewProduct.required.push('sku'),
      ['new demand: POST /api/products body.sku is required'],
    ],
    [
      'a limit that is narrower',
      (document) => Object.assign(schemas(document).NewProduct.properties.name, { maxLength: 100 }),
      ['new demand: POST /api/products body.name maxLength 100'],
    ],
    [
      'no limit that is wider',
      (document) => Object.assign(schemas(document).NewProduct.properties.name, { maxLength: 300 }),
      [],
    ],
    [
      'no member that may be left out, whatever its limits',
      (document) =>
        Object.assign(schemas(document).NewProduct.properties, { sku: { type: 'string', maxLength: 5 } }),
      [],
    ],
    [
      'a parameter that is gone',
      (document) => document.paths['/api/products'].post.parameters.pop(),
      ['missing: POST /api/products query dry accepts boolean'],
    ],
    [
      'no parameter that has a further type',
      (document) =>
        Object.assign(document.paths['/api/products'].post.parameters[0]?.schema ?? {}, {
          type: ['boolean', 'array'],
        }),
      [],
    ],
    [
      'a parameter that has another type',
      (document) =>
        Object.assign(document.paths['/api/products'].post.parameters[0]?.schema ?? {}, { type: 'string' }),
      ['missing: POST /api/products query dry accepts boolean'],
    ],
    [
      'an operation that is gone',
      (document) => Object.assign(document, { paths: {} }),
      [
        'missing: POST /api/products',
        'missing: POST /api/products 201.id: string',
        'missing: POST /api/products 201: object',
        'missing: POST /api/products answers 201',
        'missing: POST /api/products body accepts object',
        'missing: POST /api/products body.name accepts string',
        'missing: POST /api/products query dry accepts boolean',
      ],
    ],
  ]
  for (const [what, change, found] of documents)
    test(`of a description is ${what}`, () => {
      const changed = structuredClone(openApi)
      change(changed)
      assert.deepEqual(messages(openApiContract(openApi), openApiContract(changed)), found)
    })
})

function messages(one: ContractLine[], other: ContractLine[]): string[] {
  return breachesOf(contractText(one), contractText(other)).map(({ message }) => message)
}
