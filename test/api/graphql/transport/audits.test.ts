/** The audits of `graphql-http`, an independent test of GraphQL over HTTP, each as a case. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { serverAudits } from 'graphql-http'
import { sharedService, type TestService } from '../../../support/service.ts'

let service: TestService
before(async () => {
  service = await sharedService('sqlite')
})
after(() => service.stop())

describe('GraphQL over HTTP passes the audit', () => {
  const audits = serverAudits({ url: () => `${service.url}/graphql` })

  test('of which there are all', () => assert.equal(audits.length, 61))

  for (const { id, name, fn } of audits) {
    test(`${id}: ${name}`, async () => {
      const result = await fn()
      const { status, reason } = { reason: '', ...result }
      assert.equal(status, 'ok', reason)
    })
  }
})
