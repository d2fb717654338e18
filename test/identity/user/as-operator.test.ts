import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isHostAdmin } from '../../../src/core/actor.ts'
import type { Context, Shared, Tenant } from '../../../src/core/context.ts'
import { asOperator, requestContext, transactionContext } from '../../../src/core/create-context.ts'
import type { Database, Transaction } from '../../../src/database/executor.ts'
import { originOf } from '../../../src/identity/user/credentials.ts'

// Contexts only keep these.
const [shared, database, transaction] = [{} as Shared, {} as Database, {} as Transaction]
const tenant = { id: 'acme' } as Tenant

function requestOf(ip: string): Context {
  const source = { id: 'request', ip, userAgent: 'a browser' }
  return requestContext(shared, source, { actor: null, tenant, idempotency: null, database })
}

it('a request as the operator has the rights of the operator, and is the same otherwise', () => {
  const context = requestOf('192.0.2.1')
  const inside = transactionContext(context, database, transaction)
  assert.equal(isHostAdmin(context.actor), false)
  for (const [given, made] of [context, inside].map((each) => [each, asOperator(each)] as const)) {
    assert.equal(isHostAdmin(made.actor), true)
    for (const member of [
      'requestId',
      'clientAddress',
      'userAgent',
      'owner',
      'tenant',
      'transaction',
      'tenantDatabase',
    ] as const)
      assert.equal(made[member], given[member], member)
  }
})

it('a stranger remains one among those whose passwords are hashed, whoever the route acts as', () => {
  const [one, other] = ['192.0.2.1', '198.51.100.1'].map(requestOf) as [Context, Context]
  assert.deepEqual(originOf(asOperator(one)), originOf(one))
  assert.notDeepEqual(originOf(asOperator(one)).paths, originOf(asOperator(other)).paths)
  assert.deepEqual(
    originOf(asOperator(one)).paths.map(([standing]) => standing),
    ['stranger by network', 'stranger by tenant'],
  )
})
