/** A feature of an application audits like the built-in ones. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openOperator } from '../../../src/cli/with-operator.ts'
import type { Context } from '../../../src/core/context.ts'
import type { Feature } from '../../../src/core/feature/feature.ts'
import { inTransaction, recordTenantAudit } from '../../../src/index.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { startService, type TestService } from '../../support/service.ts'

declare module '../../../src/index.ts' {
  interface AuditActions {
    'parcel.opened': string
  }
}

const parcels: Feature = { name: 'parcel', audited: { 'parcel.opened': 'A parcel was opened' } }

onEitherDatabase('The audit of an application', (database) => {
  let service: TestService
  let context: Context
  before(async () => {
    service = await startService(database, {}, { features: [parcels] })
    context = await service.service.operator()
  })
  after(() => service.stop())

  const record = (action: 'parcel.opened') =>
    inTransaction(context, (inside) =>
      recordTenantAudit(inside, { action, tenantId: 'default', subjectType: 'parcel', subjectId: 'p-1' }),
    )

  it('has the actions that its feature declares', async () => {
    await record('parcel.opened')
    const { body } = await service.host.get('/api/audit?action=parcel.opened')
    assert.deepEqual([body[0]?.actorName, body[0]?.subjectId], ['operator', 'p-1'])
  })

  it('refuses an action that no feature declares', async () => {
    const unknown = 'parcel.lost' as 'parcel.opened' // what a program without types could ask for
    await assert.rejects(record(unknown), /No feature has parcel\.lost among its audited actions/)
  })

  it('has each action once', async () => {
    const again: Feature = { name: 'again', audited: parcels.audited ?? {} }
    const starting = openOperator(service.config, { features: [parcels, again] })
    await assert.rejects(starting, /Two features declare the audited action parcel\.opened/)
  })
})
