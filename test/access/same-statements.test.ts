/** A row out of reach costs what a row that does not exist costs: the same statements run for both. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { noAttributes } from '../../src/core/attributes.ts'
import type { Actor, Context } from '../../src/core/context.ts'
import { requestContext } from '../../src/core/create-context.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/id.ts'
import type { PermissionSet } from '../../src/core/permission.ts'
import { recorded } from '../support/database/recorded.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { comment, ticket } from './application.ts'
import { visibleRows } from './oracle.ts'
import { pickFrom } from './pick.ts'
import { type Caller, type Scene, startScene } from './scene.ts'
import { fill } from './state.ts'

const verbs: Record<string, (context: Context, id: string) => Promise<unknown>> = {
  find: (context, id) => ticket.find(context, id),
  'find all': (context, id) => ticket.findAll(context, [id]),
  change: (context, id) => ticket.change(context, id, { title: 'changed' }),
  delete: (context, id) => ticket.delete(context, id),
  act: (context, id) => ticket.act(context, id, 'close'),
  'act by a rule of its own': (context, id) => ticket.act(context, id, 'finish'),
  'refer to': (context, id) => comment.create(context, { ticketId: id, body: 'hello' }),
}

onEitherDatabase('The statements for a row out of reach', (database) => {
  let scene: Scene
  let hidden: string[]
  let customer: Caller
  before(async () => {
    scene = await startScene(database)
    const world = await fill(scene, pickFrom(3))
    const found = scene.callers.find(({ name }) => name === 'customer')
    assert.ok(found)
    customer = found
    const reached = new Set(visibleRows(customer, 'ticket', world).map(({ id }) => id))
    hidden = (world['ticket'] ?? []).map(({ id }) => id).filter((id) => !reached.has(id))
    assert.ok(hidden.length > 0)
  })
  after(() => scene.service.stop())

  /** What a verb sends for the row, and how it is refused. */
  async function sentFor(verb: string, id: string): Promise<{ statements: string[]; outcome: unknown }> {
    const { shared, tenant } = await scene.service.service.operator()
    const statements: string[] = []
    const catalogueDatabase = recorded(shared.catalogueDatabase, statements)
    const source = { id: newId(), ip: '203.0.113.7', userAgent: null }
    const actor: Actor = {
      id: customer.userId ?? '',
      userName: 'customer',
      tenantId: scene.tenant.id,
      credential: { kind: 'session', sessionId: '' },
      roles: [],
      permissions: customer.permissions as PermissionSet, // names of permissions
      attributes: noAttributes,
      impersonator: null,
    }
    const caller = {
      actor,
      tenant: { ...tenant, id: scene.tenant.id },
      idempotency: null,
      database: catalogueDatabase,
    }
    const context = requestContext({ ...shared, catalogueDatabase }, source, caller)
    const outcome = await verbs[verb]?.(context, id).catch(codeOf)
    return { statements, outcome }
  }

  for (const verb of Object.keys(verbs))
    it(`are those for no row: ${verb}`, async () => {
      const none = await sentFor(verb, newId())
      assert.ok(none.statements.length > 0)
      for (const id of hidden) assert.deepEqual(await sentFor(verb, id), none)
    })
})

function codeOf(error: unknown): string {
  if (!(error instanceof ServiceError)) throw error
  return `${error.kind} ${error.message}`
}
