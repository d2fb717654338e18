/** The action of a rule reaches the rows that the owner of the rule reaches. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Type } from 'typebox'
import { action, asTenant, entity, type Feature, oneOf, text, user } from '../../../../src/index.ts'
import { migrated } from '../../../entity/migrated.ts'
import type { Client } from '../../../support/client.ts'
import { onEitherDatabase } from '../../../support/databases.ts'
import { eventually, soonMs } from '../../../support/eventually.ts'
import {
  person,
  startService,
  type TestService,
  type TestTenant,
  uniqueName,
} from '../../../support/service.ts'
import { addRule, receipt, received, setProvider } from '../../../support/webhooks/provider.ts'

const parcel = entity('parcel', {
  fields: {
    title: text(),
    owner: user(),
    note: text().optional(),
    state: oneOf('closed', 'open').default('closed'),
  },
  actions: { open: { from: { state: 'closed' }, to: { state: 'open' } } },
  access: {
    rows: ({ row, actor }) => row.owner.is(actor.id),
    fields: { note: { read: 'parcel:note' } },
  },
})
const payload = Type.Object({ parcelId: Type.String() })

/** They change the row that a message names, as the owner of the rule, and as the tenant. */
const opening: Feature = {
  name: 'opening',
  actions: {
    'parcel.open': action({
      access: 'parcel:write',
      payload,
      run: async (context, { payload: { parcelId } }) => {
        const found = await parcel.find(context, parcelId)
        if (found !== null)
          assert.equal(found.note !== undefined, context.actor?.permissions.has('parcel:note' as never))
        await parcel.act(context, parcelId, 'open')
      },
    }),
    'parcel.touch': action({
      access: 'parcel:write',
      payload,
      run: async (context, { payload: { parcelId } }) => {
        await parcel.change(asTenant(context), parcelId, { title: 'Touched' })
      },
    }),
  },
}

onEitherDatabase('The action of a rule', (database) => {
  let service: TestService
  before(async () => {
    service = await startService(database, {}, { features: [...migrated([parcel]), opening] })
  })
  after(() => service.stop())

  const permissions = ['incomingWebhook:read', 'incomingWebhook:write', 'parcel:read', 'parcel:write']
  const newMember = async ({ admin, id: tenantId }: TestTenant) => {
    const [role, userName] = [uniqueName('Role'), uniqueName('member')]
    assert.equal((await admin.post('/api/roles', { name: role, permissions })).status, 201)
    const made = await admin.post('/api/users', person(userName, { roles: [role] }))
    assert.equal(made.status, 201, made.text)
    const { client } = await service.signIn(userName, tenantId)
    return { id: made.body.id as string, client }
  }
  const add = async (admin: Client, ownerId: string): Promise<string> => {
    const made = await admin.post('/api/parcels', { title: 'One', ownerId, note: 'Fragile' })
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  let count = 0
  const run = async (tenant: TestTenant, type: string, parcelId: string) => {
    const body = { id: `evt_${count++}`, type, parcelId }
    const { status } = await receipt(tenant.admin, await received(service, tenant, body))
    const { state, title } = (await tenant.admin.get(`/api/parcels/${parcelId}`)).body
    return [status, state, title]
  }

  const kinds = {
    'in the shared database': () => ({}),
    'in a database of its own': () => ({ connectionString: `sqlite:${uniqueName('own')}.db` }),
  }
  for (const [kind, members] of Object.entries(kinds)) {
    it(`reaches the rows and the members that the owner of the rule reaches, of a tenant ${kind}`, async () => {
      const tenant = await service.newTenant(members())
      const { admin } = tenant
      await setProvider(admin)
      const [ada, bob] = [await newMember(tenant), await newMember(tenant)]
      const rule = await addRule(ada.client, 'parcel.open', 'parcel.arrived')
      await addRule(ada.client, 'parcel.touch', 'parcel.touched')
      await addRule(admin, 'parcel.open', 'parcel.forced')
      const [own, foreign] = [await add(admin, ada.id), await add(admin, bob.id)]
      const tried = async (parcelId: string) => {
        const sample = { body: { parcelId }, eventType: 'parcel.arrived' }
        return (await admin.post(`/api/webhooks/rules/${rule}/dry-run`, sample)).body.outcome
      }
      assert.deepEqual([await tried(own), await tried(foreign)], ['SUCCEEDED', 'FAILED'])
      assert.deepEqual(await run(tenant, 'parcel.arrived', own), ['SUCCEEDED', 'open', 'One'])
      assert.deepEqual(await run(tenant, 'parcel.arrived', foreign), ['PENDING', 'closed', 'One'])
      const audited = (await admin.get('/api/audit?action=parcel.opened')).body
      const actors = audited.map(({ actorId }: { actorId: string }) => actorId)
      assert.deepEqual(actors, [ada.id])
      assert.deepEqual(await run(tenant, 'parcel.touched', foreign), ['SUCCEEDED', 'closed', 'Touched'])
      assert.deepEqual(await run(tenant, 'parcel.forced', foreign), ['SUCCEEDED', 'open', 'Touched'])
    })
  }

  it('reaches every row while the owner has the permission for all', async () => {
    const tenant = await service.newTenant()
    const { admin } = tenant
    await setProvider(admin)
    const key = await admin.post('/api/api-keys', {
      name: 'Shop',
      permissions: [...permissions, 'parcel:all'],
    })
    await addRule(service.anonymous.withToken(key.body.key), 'parcel.open')
    const first = await add(admin, (await newMember(tenant)).id)
    assert.deepEqual(await run(tenant, 'parcel.arrived', first), ['SUCCEEDED', 'open', 'One'])
    assert.equal((await admin.delete(`/api/api-keys/${key.body.id}`)).status, 204)
    await eventually('the end of the key', soonMs, async () => {
      const id = await add(admin, (await newMember(tenant)).id)
      const [status, state] = await run(tenant, 'parcel.arrived', id)
      return status === 'FORBIDDEN' && state === 'closed'
    })
  })
})
