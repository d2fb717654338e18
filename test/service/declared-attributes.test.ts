/** What an application may declare as attributes, and what its rules may ask of them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { any, boolean, entity, integer, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'
import { startService } from '../support/service.ts'

const parcel = entity('parcel', {
  fields: { title: text(), region: text().optional() },
  sort: ['region'],
  access: {
    rows: ({ row, actor }) => any(row.region.in(actor.claims('region')), actor.has('seesAll')),
  },
})
const attributes = { region: text(), seesAll: boolean() }

describe('An attribute in a rule', () => {
  const faulty: [what: string, given: object, reason: RegExp][] = [
    [
      'that is not declared',
      { regoin: text(), seesAll: boolean() },
      /parcel: in its rules of rows, there is no attribute region; did you mean regoin/,
    ],
    ['of another kind', { ...attributes, region: boolean() }, /parcel: .*actor\.claims\('region'\)/],
    ['that is no boolean', { ...attributes, seesAll: text() }, /parcel: .*actor\.has\('seesAll'\)/],
    ['that no attribute can be', { ...attributes, age: integer() }, /attributes\.age must be text/],
    ['with a default', { ...attributes, age: text().default('x') }, /attributes\.age has no default/],
  ]
  for (const [what, given, reason] of faulty)
    it(`${what} ends the start`, async () => {
      const options = { features: migrated([parcel]), attributes: given as typeof attributes }
      await assert.rejects(startService('sqlite', {}, options), reason)
    })
})
