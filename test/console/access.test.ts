/** Which pages the console shows to a user, and which permissions it lets a user give. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isHostAdmin, isShown, mayToggle } from '../../assets/console/access.ts'

const holding = (permissions: readonly string[], tenantId = 'acme') => ({
  user: { tenantId },
  can: (permission: string) => permissions.includes(permission),
})

describe('A page of the console', () => {
  it('is shown to whoever has one of its permissions, or to everybody', () => {
    const audit = { permissions: ['audit:read', 'audit:read-all'] }
    assert.equal(isShown(audit, holding(['audit:read-all'])), true)
    assert.equal(isShown(audit, holding(['user:read'])), false)
    assert.equal(isShown({ permissions: [] }, holding([])), true)
  })

  it('about all tenants is one of the host, whose permission other administrators have as well', () => {
    const signUps = { permissions: ['tenant:read'], isForHost: true } as const
    assert.equal(isShown(signUps, holding(['tenant:read'])), false)
    assert.equal(isShown(signUps, holding(['tenant:read'], 'default')), true)
    assert.equal(isShown(signUps, holding([], 'default')), false)
  })
})

describe('The users of all tenants', () => {
  it('are shown to administrators of the host alone', () => {
    assert.equal(isHostAdmin({ tenantId: 'default', roles: ['User', 'Admin'] }), true)
    assert.equal(isHostAdmin({ tenantId: 'default', roles: ['User'] }), false)
    assert.equal(isHostAdmin({ tenantId: 'acme', roles: ['Admin'] }), false)
  })
})

describe('A permission of a role', () => {
  it('can be given by whoever has it, and taken away by everybody', () => {
    const registrar = holding(['role:read', 'role:write'])
    assert.equal(mayToggle('role:read', { permissions: [] }, registrar), true)
    assert.equal(mayToggle('audit:read', { permissions: [] }, registrar), false)
    assert.equal(mayToggle('audit:read', { permissions: ['audit:read'] }, registrar), true)
  })
})
