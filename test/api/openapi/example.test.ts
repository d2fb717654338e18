/** Every example of a request in the OpenAPI document is sent, and succeeds. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { loadConfig } from '../../../src/core/settings/config.ts'
import { createService } from '../../../src/service/service.ts'
import { type Answer, Client } from '../../support/client.ts'
import {
  type OpenApi,
  type Operation,
  operationsOf,
  readCopy,
  requiredParameters,
} from '../../support/http/openapi-document.ts'
import { person, startService, type TestService, uniqueName, usualOptions } from '../../support/service.ts'
import { existingPath, signature, withExisting } from './example-world.ts'
import { needsOthers } from './needs-others.ts'

const document = JSON.parse(readCopy()) as OpenApi // another test compares it with what is served
const operations = [...operationsOf(document)]
const bodies = operations.flatMap(([place, operation]) => {
  const content = operation.requestBody?.content['application/json']
  return content === undefined ? [] : [{ place, operation, example: content.example }]
})
const queries = operations.flatMap(([place, operation]) =>
  operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name = '', schema }) => ({ place, operation, name, example: schema?.examples?.[0] })),
)

const graphqlDocument = String(
  queries.find(({ place, name }) => place === 'GET /graphql' && name === 'query')?.example,
)

/** There is no passkey to ask for either. */
const leftOut = new Set([...needsOthers, 'POST /api/auth/passkeys/request-options'])

describe('The examples of the OpenAPI document', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite')
    // A document that is asked for by its hash has to have come before.
    await service.host.post('/graphql', {
      query: graphqlDocument,
      documentId: hash('sha256', graphqlDocument),
    })
    const logo = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    for (const theme of ['', '/dark'])
      assert.equal((await service.host.put(`/api/tenant/brand/logo${theme}`, logo)).status, 200)
  })
  after(() => service.stop())

  for (const { place, operation, example } of bodies) {
    if (place === 'POST /api/init/first-admin' || leftOut.has(place)) continue
    // test/operations/operation erases a tenant that is not active, and moves one that nobody else asks for.
    if (/^POST .*\/(erase|move)$/.test(place)) continue
    it(`of the body of ${place} succeeds`, async () => {
      const [method = '', path = ''] = place.split(' ')
      const body = await withExisting(service, example)
      if (place === 'POST /api/auth/login') await makeUser(service, example as { userName: string })
      const headers = place.includes('/receive/') ? signature(JSON.stringify(body)) : {}
      const endsSessions = /logout|sign-out|password$/.test(place)
      const caller = endsSessions ? await anotherUser(service) : service.host
      assertSucceeds(operation, await caller.send(method, await existingPath(service, path), body, headers))
    })
  }

  for (const { place, operation, name, example } of queries) {
    // Only a whole link is valid: test/files/upload.test.ts follows some.
    if (place === 'GET /files/{id}') continue
    it(`of the parameter ${name} of ${place} succeeds`, async () => {
      const [method = '', path = ''] = place.split(' ')
      assert.notEqual(example, undefined)
      const [[, value = ''] = []] = Object.entries(
        (await withExisting(service, { [name]: example })) as Record<string, string>,
      )
      const parameters = requiredParameters(operation)
      parameters.set(name, value)
      if (place === 'GET /graphql' && name !== 'documentId') parameters.set('query', graphqlDocument)
      assertSucceeds(
        operation,
        await service.host.send(method, `${await existingPath(service, path)}?${parameters}`, fileFor(place)),
      )
    })
  }
})

describe('The example of the first administrator', () => {
  it('succeeds where there is no user', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
    const service = await createService(loadConfig({ DATA_DIR: dataDir, PORT: '0' }, dataDir), usualOptions)
    try {
      const anonymous = new Client(await service.start())
      const place = 'POST /api/init/first-admin'
      const { operation, example } = bodies.find((body) => body.place === place) ?? {}
      assert.ok(operation)
      assertSucceeds(operation, await anonymous.post('/api/init/first-admin', example))
    } finally {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})

/** Of a file, where one is needed. */
function fileFor(place: string): string | undefined {
  return place === 'POST /api/files' ? '{}' : undefined
}

function assertSucceeds({ responses }: Operation, { status, text, body }: Answer): void {
  const expected = Object.keys(responses).find((code) => code.startsWith('2'))
  assert.equal(String(status), expected, text)
  assert.equal(body?.errors, undefined, text) // GraphQL says so with 200
}

/** Whom the example names, unless there is such a user. */
async function makeUser({ host }: TestService, { userName }: { userName: string }): Promise<void> {
  const { status, text } = await host.post('/api/users', person(userName))
  assert.ok(status === 201 || /userName/.test(text), text)
}

async function anotherUser(service: TestService): Promise<Client> {
  const userName = uniqueName('user')
  assert.equal((await service.host.post('/api/users', person(userName))).status, 201)
  return (await service.signIn(userName)).client
}
