/** Every route and field requires a permission, or says why it does not. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Feature } from '../../src/core/feature/feature.ts'
import type { Route } from '../../src/core/feature/route.ts'
import { isPermission } from '../../src/core/permission.ts'
import { accessesOf, declaredPermissions } from '../../src/service/declared-permissions.ts'
import { sharedService, type TestService } from '../support/service.ts'
import { assertListed } from './listed.ts'

/** They concern the caller alone. */
const ofOneself = [
  'POST /api/auth/logout',
  'GET /api/preferences',
  'PUT /api/preferences/:name',
  'DELETE /api/preferences/:name',
  'GET /api/views',
  'GET /api/views/:id',
  'POST /api/views',
  'PATCH /api/views/:id',
  'DELETE /api/views/:id',
  'POST /api/auth/step-up',
  'POST /api/auth/sso/sign-out',
  'GET /api/entities',
  'GET /api/auth/me',
  'GET /api/webhooks/portal-sessions/current',
  'GET /api/auth/sessions',
  'DELETE /api/auth/sessions',
  'DELETE /api/auth/sessions/:id',
  'GET /api/auth/passkeys',
  'POST /api/auth/passkeys/creation-options',
  'POST /api/auth/passkeys',
  'PUT /api/auth/passkeys/:id',
  'DELETE /api/auth/passkeys/:id',
  'GET /api/auth/mfa',
  'POST /api/auth/mfa/totp',
  'POST /api/auth/mfa/totp/confirm',
  'DELETE /api/auth/mfa/totp',
  'POST /api/auth/mfa/recovery-codes',
  'PUT /api/users/me/password',
  'PUT /api/users/me/email',
  'The field me',
]

describe('The routes and fields of the service', () => {
  let service: TestService
  before(async () => {
    service = await sharedService('sqlite')
  })
  after(() => service.stop())

  it('each require a permission, unless they are public or concern the caller alone', () => {
    const accesses = service.service.features.flatMap(accessesOf)
    const without = accesses.filter(([, access]) => access === 'user').map(([what]) => what)
    const mend = 'give it a permission, or add it to the list ofOneself in test/rules/permissions.test.ts'
    assertListed(without, ofOneself, mend)
    assert.ok(accesses.filter(([, access]) => isPermission(access)).length > 40)
  })

  it('require no permission that is not declared', () => {
    const access = 'ghost:read' as const
    const graphql = { queries: { ghost: { kind: 'object', access } } } as unknown as NonNullable<
      Feature['graphql']
    >
    const feature: Feature = { name: 'ghost', graphql }
    const reason = /^Error: The field ghost requires the permission ghost:read, which no feature declares\.$/
    assert.throws(() => declaredPermissions([feature]), reason)
    const part = {
      method: 'GET',
      path: '/ghosts',
      access: 'user',
      accessOfParts: ['user', access],
    } as unknown as Route
    assert.throws(
      () => declaredPermissions([{ name: 'ghost', routes: [part] }]),
      /^Error: GET \/ghosts requires the permission ghost:read, which no feature declares\.$/,
    )
    const permissions = { [access]: { description: 'See ghosts', role: 'User' } } as const
    assert.ok(declaredPermissions([{ ...feature, permissions }]).has(access))
    const again = { name: 'again', permissions }
    assert.throws(() => declaredPermissions([{ ...feature, permissions }, again]), /Two features declare/)
  })
})
