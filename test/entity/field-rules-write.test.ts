/** What callers write by rules of fields, and what they get of it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { onEitherDatabase } from '../support/databases.ts'
import { type Callers, callerWith, graphql, narrow, ticketPath as path, startRuled } from './ruled-fields.ts'

onEitherDatabase('Writes by rules of fields', (database) => {
  let scene: Callers
  let insider: Client
  let outsider: Client
  let acme: string
  let other: string

  before(async () => {
    scene = await startRuled(database)
    ;({ insider, outsider } = scene)
    acme = (await insider.post('/api/clients', { name: 'acme' })).body.id
    other = (await insider.post('/api/clients', { name: 'other' })).body.id
  })
  after(() => scene.service.stop())

  const make = async (caller: Client, members: object = {}, headers: Record<string, string> = {}) => {
    const made = await caller.post(path, { title: 'made', clientId: acme, ...members }, headers)
    assert.equal(made.status, 201, made.text)
    return made.body
  }

  it('refuse members that the caller does not write', async () => {
    const row = await make(outsider)
    for (const [members, message] of [
      [{ note: 'x' }, 'note: writing it requires the permission ticket:internal.'],
      [{ note: null }, 'note: writing it requires the permission ticket:internal.'],
      [{ rating: 1 }, 'rating: writing it requires the permission rating:see.'],
      [{ priority: 1 }, 'priority: writing it requires the permission ticket:plan.'],
      [{ cost: 1 }, 'cost: no caller writes it.'],
      [
        { lines: [{ label: 'x', price: 1 }] },
        'lines.price: writing it requires the permission ticket:internal.',
      ],
    ] as const) {
      const body = { title: 'x', clientId: acme, ...members }
      for (const refused of [
        await outsider.post(path, body),
        await outsider.patch(`${path}/${row.id}`, members),
        await outsider.put(`${path}/${row.id}`, body),
      ])
        assert.deepEqual([refused.status, refused.body.message], [403, message])
    }
    assert.equal((await insider.patch(`${path}/${row.id}`, { cost: 1 })).status, 403)
    assert.equal(
      (await insider.patch(`${path}/${row.id}`, { note: 'x', rating: 5, priority: 2 })).status,
      200,
    )
  })

  it('let a new row have a list whose rows are written in part, and keep it afterwards', async () => {
    const row = await make(outsider, { lines: [{ label: 'x' }] })
    const changed = await outsider.patch(`${path}/${row.id}`, { lines: [] })
    assert.deepEqual(
      [changed.status, changed.body.message],
      [403, 'lines.price: writing it requires the permission ticket:internal.'],
    )
    assert.deepEqual((await insider.get(`${path}/${row.id}`)).body.lines, [{ label: 'x', price: 0 }])
  })

  it('leave a required member to code, which has to give it', async () => {
    const { admin } = scene.tenant
    const caller = await callerWith(scene.service, scene.tenant, ['gauge:read', 'gauge:write'])
    const made = await caller.post('/api/gauges', { label: 'known' })
    assert.deepEqual([made.status, made.body.serial], [201, 'by code'])
    for (const each of [caller, admin]) {
      const refused = await each.post('/api/gauges', { label: 'other' })
      assert.deepEqual([refused.status, refused.body.message], [400, 'serial: is required'])
    }
    const one = `/api/gauges/${made.body.id}`
    assert.equal((await caller.put(one, { label: 'replaced' })).body.serial, 'by code')
    assert.equal((await admin.put(one, { label: 'replaced', serial: 'new' })).body.serial, 'new')
    const input = 'mutation { createGauge(input: { label: "other" }) { id } }'
    assert.equal((await graphql(admin, input)).errors[0].message, 'serial: is required')
  })

  it('take a member that is given once with the new row alone', async () => {
    const row = await make(outsider)
    const one = `${path}/${row.id}`
    assert.equal((await outsider.patch(one, { clientId: acme.toUpperCase(), title: 'same' })).status, 200)
    for (const caller of [outsider, insider]) {
      const refused = await caller.patch(one, { clientId: other })
      assert.deepEqual(
        [refused.status, refused.body.message],
        [400, 'clientId: is given once, with the new row'],
      )
      assert.equal((await caller.put(one, { title: 'x', clientId: other })).status, 400)
    }
    assert.equal((await outsider.put(one, { title: 'x', clientId: acme })).status, 200)
    assert.equal((await outsider.post(path, { title: 'x' })).status, 400)
  })

  it('leave hooks, actions and their values free', async () => {
    const row = await make(outsider)
    assert.equal(row.cost, 7)
    const closed = await outsider.post(`${path}/${row.id}/close`)
    assert.deepEqual([closed.status, closed.body.cost, 'note' in closed.body], [200, 99, false])
    const annotated = await outsider.post(`${path}/${row.id}/annotate`, { text: 'by an action' })
    assert.deepEqual([annotated.status, 'note' in annotated.body], [200, false])
    assert.equal((await insider.get(`${path}/${row.id}`)).body.note, 'by an action')
  })

  it('do not print a hidden state', async () => {
    const row = await make(insider)
    const refused = await outsider.post(`${path}/${row.id}/finish`)
    assert.deepEqual(
      [refused.status, refused.body.message],
      [400, 'The ticket cannot be finished in its state.'],
    )
    const told = await insider.post(`${path}/${row.id}/finish`)
    assert.equal(told.body.message, 'The ticket is early and cannot be finished: it must be late.')
  })

  it('do not print a hidden value that is taken', async () => {
    await make(insider, { code: 'ALPHA' })
    const refused = await insider.post(path, { title: 'x', clientId: acme, code: 'ALPHA' })
    assert.deepEqual([refused.status, refused.body.message], [400, 'code: is taken by another ticket'])
  })

  it('answer a repeated request with what its caller reads now', async () => {
    const caller = await callerWith(scene.service, scene.tenant, [
      ...['ticket:read', 'ticket:write', 'client:read', 'ticket:internal'],
    ])
    const key = { 'idempotency-key': randomUUID() }
    const made = await make(caller, { note: 'told once' }, key)
    assert.equal(made.note, 'told once')
    await narrow(scene.tenant, caller, ['ticket:read', 'ticket:write', 'client:read'])
    const again = await caller.post(path, { title: 'made', clientId: acme, note: 'told once' }, key)
    assert.deepEqual([again.status, again.headers.get('idempotency-replayed')], [201, 'true'])
    assert.deepEqual([again.body.id, 'note' in again.body], [made.id, false])
  })
})
