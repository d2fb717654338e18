/** The names that commands know without a service are those that a service has. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { builtInNames } from '../../src/service/built-in-names.ts'
import { optionalFeatures } from '../../src/service/without.ts'
import { sharedService, startService, type TestService } from '../support/service.ts'

describe('The names of built-in features', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  const namesOf = ({ service: { features } }: TestService) => features.map(({ name }) => name).toSorted()

  it('are listed', () => {
    assert.deepEqual(namesOf(service), Object.keys(builtInNames).toSorted())
  })

  it('are free when an application leaves the features out', async () => {
    const free = Object.entries(builtInNames).flatMap(([name, { partOf }]) =>
      partOf === undefined ? [] : [name],
    )
    const features = free.map((name) => ({ name }))
    const own = await startService('sqlite', {}, { without: optionalFeatures, features })
    try {
      assert.deepEqual(namesOf(own), namesOf(service))
    } finally {
      await own.stop()
    }
  })
})
