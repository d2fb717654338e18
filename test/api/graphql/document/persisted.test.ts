import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Refused } from '../../../../src/api/graphql/document/operation.ts'
import { PersistedDocuments } from '../../../../src/api/graphql/document/persisted.ts'
import { startService, type TestService } from '../../../support/service.ts'

const document = '{ __typename }'
const other = '{ products { id } }'
const digest = hash('sha256', document)

function persisted(text: string, members: Record<string, unknown> = {}) {
  return { extensions: { persistedQuery: { version: 1, sha256Hash: hash('sha256', text) } }, ...members }
}

describe('A persisted operation', () => {
  let service: TestService
  before(async () => {
    service = await startService('sqlite')
  })
  after(() => service.stop())

  it('is not known before it came with its document once', async () => {
    const unknown = await service.anonymous.post('/graphql', persisted(document))
    assert.equal(unknown.body.errors[0].message, 'PersistedQueryNotFound')
    assert.equal(unknown.body.errors[0].extensions.code, 'PERSISTED_QUERY_NOT_FOUND')
    const first = await service.anonymous.post('/graphql', persisted(document, { query: document }))
    assert.deepEqual(first.body, { data: { __typename: 'Query' } })
    const again = await service.anonymous.post('/graphql', persisted(document))
    assert.deepEqual(again.body, { data: { __typename: 'Query' } })
  })

  it('is asked for by GET too', async () => {
    await service.anonymous.post('/graphql', persisted(other, { query: other }))
    const query = new URLSearchParams({ extensions: JSON.stringify(persisted(other).extensions) })
    assert.deepEqual((await service.anonymous.get(`/graphql?${query}`)).body, { data: { products: [] } })
  })

  it('is refused when the hash is another one', async () => {
    const { body } = await service.anonymous.post('/graphql', persisted(document, { query: other }))
    assert.equal(body.errors[0].extensions.code, 'PERSISTED_QUERY_MISMATCH')
  })
})

describe('Persisted operations', () => {
  const documentOf = (index: number) => `{ a${index}: __typename }`
  const asked = (index: number, query: string | null) => ({
    query,
    documentId: hash('sha256', documentOf(index)),
    extensions: {},
  })

  it('are a thousand at most: the oldest is forgotten', () => {
    const documents = new PersistedDocuments(new Map(), false)
    for (let index = 0; index <= 1000; index++) documents.textOf(asked(index, documentOf(index)))
    assert.equal(documents.textOf(asked(1, null)), documentOf(1))
    assert.throws(() => documents.textOf(asked(0, null)), Refused)
  })

  it('are refused with the hash of another one, also if that one is known', () => {
    const documents = new PersistedDocuments(new Map([[digest, document]]), false)
    assert.equal(documents.textOf({ query: document, documentId: digest, extensions: {} }), document)
    assert.throws(
      () => documents.textOf({ query: other, documentId: digest, extensions: {} }),
      (error) => error instanceof Refused && /does not match the document/.test(error.message),
    )
  })
})

describe('Operations of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-operations-'))
  const path = join(folder, 'operations.json')
  let service: TestService
  before(async () => {
    writeFileSync(path, JSON.stringify({ [digest]: document }))
    service = await startService('sqlite', { GRAPHQL_OPERATIONS: path, GRAPHQL_OPERATIONS_ONLY: 'true' })
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true })
  })

  it('are known from the start, by their hash', async () => {
    for (const documentId of [digest, `sha256:${digest}`]) {
      assert.deepEqual((await service.anonymous.post('/graphql', { documentId })).body, {
        data: { __typename: 'Query' },
      })
    }
    assert.equal((await service.anonymous.get(`/graphql?documentId=${digest}`)).status, 200)
  })

  it('are all that is run, where the setting says so', async () => {
    const refused = await service.anonymous.post('/graphql', persisted(other, { query: other }))
    assert.equal(refused.body.errors[0].extensions.code, 'PERSISTED_QUERY_ONLY')
    assert.equal((await service.anonymous.post('/graphql', persisted(other))).body.data, undefined)
    const known = await service.anonymous.post('/graphql', { query: document })
    assert.deepEqual(known.body, { data: { __typename: 'Query' } })
  })
})
