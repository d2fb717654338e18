/** Attributes that follow the claims of a provider, and the role that an application gives those who sign in there. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { boolean, listOf, oneOf, text } from '../../../src/index.ts'
import { onEitherDatabase } from '../../support/databases.ts'
import { uniqueName } from '../../support/service.ts'
import { type ProvenTenant, type SignInScene, startScene } from './scene.ts'

const attributes = {
  region: text({ max: 10 }),
  departments: listOf(text({ max: 10 })),
  shift: oneOf('day', 'night'),
  external: boolean(),
}
const attributeClaims = {
  region: 'region',
  departments: 'org.departments',
  shift: 'shift',
  external: 'external',
}

onEitherDatabase('Attributes of a provider', (database) => {
  let scene: SignInScene
  let tenant: ProvenTenant
  before(async () => {
    scene = await startScene(database, ['region', 'org', 'shift', 'external'], {
      attributes,
      roles: { Customer: ['product:read'] },
      defaultRoles: { singleSignOn: 'Customer' },
    })
    tenant = await scene.newTenant({ attributeClaims })
  })
  after(() => scene.stop())

  const newSubject = () => {
    const subject = uniqueName('ada')
    const email = `${subject}@${tenant.domain}`
    const signIn = (claims: object) => scene.signIn(tenant, subject, { email, ...claims })
    /** @returns what the user has after a sign-in with the claims */
    const attributesWith = async (claims: object) => {
      const { user } = await signIn(claims)
      return (await tenant.admin.get(`/api/users/${user.id}`)).body.attributes
    }
    return { signIn, attributesWith }
  }

  it('are given to a user who is created, and follow the claims', async () => {
    const { attributesWith } = newSubject()
    const first = { region: ' north ', org: { departments: ['a', 'b', 'a'] }, shift: 'day', external: 'true' }
    assert.deepEqual(await attributesWith(first), {
      region: 'north',
      departments: ['a', 'b'],
      shift: 'day',
      external: true,
    })
    const second = { region: 'south', org: { departments: 'c' }, shift: 'night', external: false }
    assert.deepEqual(await attributesWith(second), {
      region: 'south',
      departments: ['c'],
      shift: 'night',
      external: false,
    })
  })

  it('stay while a claim is absent, and go when it is empty or of another kind', async () => {
    const { attributesWith } = newSubject()
    const given = { region: 'north', org: { departments: ['a'] }, shift: 'day', external: true }
    const stored = { region: 'north', departments: ['a'], shift: 'day', external: true }
    assert.deepEqual(await attributesWith(given), stored)
    assert.deepEqual(await attributesWith({ region: null, org: {} }), stored)
    assert.deepEqual(await attributesWith({ org: { departments: [] } }), { ...stored, departments: [] })
    const { region: _region, ...others } = stored
    assert.deepEqual(await attributesWith({ region: '' }), { ...others, departments: [] })
    await attributesWith(given)
    const odd = {
      region: { name: 'north' },
      org: { departments: [1, 'b', 'longer than ten'] },
      shift: 'noon',
    }
    assert.deepEqual(await attributesWith({ ...odd, external: 'maybe' }), { departments: ['b'] })
  })

  it('are of the application, and so is the role by default', async () => {
    const input = { issuer: scene.provider.issuer, clientId: 'x', clientSecret: 'y' }
    const answer = await tenant.admin.put('/api/tenant/sso', { ...input, attributeClaims: { regoin: 'x' } })
    assert.equal(answer.status, 400)
    assert.match(answer.body.message, /^attributeClaims\.regoin: is no attribute; did you mean region/)
    const { body: settings } = await tenant.admin.get('/api/tenant/sso')
    assert.deepEqual([settings.attributeClaims, settings.defaultRoles], [attributeClaims, ['Customer']])
    const { user } = await newSubject().signIn({})
    assert.deepEqual(user.roles, ['Customer'])
    await scene.configure(tenant, { attributeClaims, defaultRoles: ['User'] })
    assert.deepEqual((await newSubject().signIn({})).user.roles, ['User'])
    await scene.configure(tenant, { attributeClaims })
  })

  it('are changed in the audit by nobody but the provider', async () => {
    const { signIn } = newSubject()
    const { user } = await signIn({ region: 'north' })
    await signIn({ region: 'north' })
    await signIn({ region: 'south' })
    const { body } = await tenant.admin.get(`/api/audit?subjectId=${user.id}&action=user.updated`)
    assert.deepEqual(
      body.map(({ detail }: { detail: object }) => detail),
      [{ changed: ['attributes'], attributes: { region: 'south' } }],
    )
  })
})
