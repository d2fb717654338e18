/** The measured size of a page inside a row, which bounds what is rendered, is never less than what is rendered. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sql } from 'kysely'
import { TenantData } from '../../../src/database/data.ts'
import { prepare } from '../../../src/database/prepared.ts'
import { everything } from '../../../src/database/read/filter.ts'
import { totalOrder } from '../../../src/database/read/order.ts'
import {
  addPages,
  measureRelationPage,
  renderRelationPage,
} from '../../../src/database/read/relation-page.ts'
import { renderRow } from '../../../src/database/read/render.ts'
import type { RelationPage } from '../../../src/database/read/selection.ts'
import { SqlBuilder } from '../../../src/database/read/sql-builder.ts'
import { type StatementParameters, StatementValues } from '../../../src/database/read/values.ts'
import { entity, reference, text } from '../../../src/index.ts'
import { migrated } from '../../entity/migrated.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { fieldOf } from '../../support/graphql/entities.ts'
import { startService, type TestService } from '../../support/service.ts'

const rack = entity('rack', { fields: { name: text() } })
const disc = entity('disc', { fields: { title: text({ max: 1000 }), rack: reference(rack) } })

onEachDatabase('A page of rows with long sort keys', (database) => {
  let service: TestService
  after(() => service.stop())

  it('is measured with the keys, which its cursors contain', async () => {
    service = await startService(database, {}, { features: migrated([rack, disc]) })
    const tenant = await service.newTenant()
    const { body } = await tenant.admin.post('/api/racks', { name: 'left' })
    for (const letter of ['a', 'b', '"'])
      await tenant.admin.post('/api/discs', { title: letter.repeat(900), rackId: body.id })
    const { executor } = (await service.service.operator()).shared.catalogueDatabase
    const values = new StatementValues()
    addPages([page], values)
    const sizes = prepare((tables, placeholders: StatementParameters, dialect) => {
      const builder = new SqlBuilder(tables, placeholders, { dialect, values })
      const { query, alias } = builder.rows(rack.model)
      const rendered = renderRelationPage(page, alias, builder, (of) => renderRow(page.rows, of, builder))
      const measured = measureRelationPage(page, alias, builder, () => sql`2`)
      return query.select([
        sql<number>`octet_length(${rendered})`.as('rendered'),
        sql<number>`${measured}`.as('measured'),
      ])
    })
    const [row] = await new TenantData(tenant.id, executor).all(sizes, values.parameters)
    assert.ok(row !== undefined && row.rendered > 2700)
    assert.ok(row.measured >= row.rendered, `${row.measured} for ${row.rendered} bytes`)
  })
})

const page: RelationPage = {
  key: 'p0',
  relation: {
    name: 'discs',
    kind: 'many',
    isPaged: true,
    entity: disc.model,
    on: { rack_id: 'id' },
    description: null,
  },
  filter: everything,
  order: totalOrder(disc.model, [{ path: [], field: fieldOf(disc.model, 'title'), descending: false }]),
  size: 10,
  backward: false,
  after: null,
  before: null,
  members: [{ kind: 'edges', as: 'edges', members: [{ kind: 'cursor', as: 'cursor' }] }],
  rows: [],
  cursorOf: String,
}
