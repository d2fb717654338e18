/** Claims as providers document them, and what is read from them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { belongsTo, domainOf, isSameIssuer, readClaims } from '../../../src/identity/single-sign-on/claims.ts'
import { runSeed } from '../../support/run/extent.ts'

const google = 'https://accounts.google.com'
const entra = 'https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0'

const read = (claims: Record<string, unknown>, issuer = 'https://login.example.com') => {
  const user = readClaims([{ sub: 's', ...claims }], 'groups')
  const domain = user.email === null ? null : domainOf(user.email)
  return { ...user, domain: domain !== null && belongsTo(domain, user, issuer) ? domain : null }
}

describe('The claims of a provider', () => {
  it('of Google are trusted for the domain of the organisation only', () => {
    const claims = { email: 'ada@acme.example', email_verified: true, given_name: 'Ada', family_name: 'L' }
    assert.equal(read({ ...claims, hd: 'acme.example' }, google).domain, 'acme.example')
    // Anybody can have a private account there with an address of the organisation.
    assert.equal(read(claims, google).domain, null)
    assert.equal(read({ ...claims, hd: 'other.example' }, google).domain, null)
    for (const issuer of [`${google}/`, 'https://ACCOUNTS.google.com', 'https://accounts.google.com:443'])
      assert.equal(read(claims, issuer).domain, null, issuer)
  })

  it('of Entra ID have no email_verified, and may leave groups out', () => {
    const claims = { oid: 'o', tid: 't', preferred_username: 'ada@acme.example', name: 'Ada King Lovelace' }
    const user = read({ ...claims, email: 'ada@acme.example' }, entra)
    assert.deepEqual(
      [user.domain, user.firstName, user.lastName, user.preferredName, user.lacksGroups],
      ['acme.example', 'Ada', 'Lovelace', 'ada@acme.example', false],
    )
    assert.equal(read(claims, entra).email, null)
    assert.equal(read({ ...claims, email: 'ada@acme.example', xms_edov: false }, entra).email, null)
    const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://…' } } }
    assert.equal(read({ ...claims, ...overage }, entra).lacksGroups, true)
    assert.equal(read({ ...claims, hasgroups: true }, entra).lacksGroups, true)
  })

  it('of Okta and Keycloak have groups as a list', () => {
    assert.deepEqual(read({ groups: ['Everyone', 'Accounting'] }).groups, ['Everyone', 'Accounting'])
    assert.deepEqual(read({ groups: 'Accounting' }).groups, ['Accounting'])
    assert.deepEqual(read({ groups: ['a', 1, null, { b: 1 }] }).groups, ['a'])
    assert.deepEqual(read({ groups: [] }).groups, [])
  })

  it('say nothing of the groups where these are absent, or in a form that is not known', () => {
    for (const groups of [undefined, null, 7, [{ id: '1', name: 'a' }], { name: 'a' }])
      assert.equal(read({ groups }).groups, null)
  })

  it('have groups also inside of other claims, in names with dots, and as the members of an object', () => {
    const groupsOf = (claims: Record<string, unknown>, path: string) => readClaims([{}, claims], path).groups
    assert.deepEqual(groupsOf({ realm_access: { roles: ['a'] } }, 'realm_access.roles'), ['a'])
    const client = { resource_access: { 'shop.example': { roles: ['b'] } } }
    assert.deepEqual(groupsOf(client, 'resource_access.shop.example.roles'), ['b'])
    assert.deepEqual(groupsOf({ 'https://acme.example/roles': ['c'] }, 'https://acme.example/roles'), ['c'])
    const zitadel = { 'urn:zitadel:iam:org:project:roles': { admin: { '17': 'acme.example' } } }
    assert.deepEqual(groupsOf(zitadel, 'urn:zitadel:iam:org:project:roles'), ['admin'])
    assert.equal(groupsOf({ realm_access: ['a'] }, 'realm_access.roles'), null)
    const inToken = { realm_access: { other: [] } }
    assert.deepEqual(readClaims([inToken, { realm_access: { roles: ['d'] } }], 'realm_access.roles').groups, [
      'd',
    ])
  })

  it('have no address when the provider says that it is not verified', () => {
    const email = 'ada@acme.example'
    for (const no of [false, 'false', 'False', 'no', 0, null, {}]) {
      assert.equal(read({ email, email_verified: no }).email, null)
      assert.equal(read({ email, xms_edov: no }).email, null)
      assert.equal(readClaims([{ email }, { email_verified: no }], 'groups').email, null)
    }
    for (const yes of [true, 'true', undefined])
      assert.equal(read({ email, email_verified: yes, xms_edov: yes }).email, email)
    for (const yes of [1, '1']) assert.equal(read({ email, xms_edov: yes }).email, email)
  })

  it('have no domain when the address is none', () => {
    for (const email of ['ada', 'ada@x@acme.example', '', 7, null]) assert.equal(read({ email }).domain, null)
    assert.equal(read({ email: 'Ada@ACME.example' }).domain, 'acme.example')
    assert.equal(read({ email: 'ada@bücher.example' }).domain, 'xn--bcher-kva.example')
    const workspace = { email: 'ada@bücher.example', hd: 'xn--bcher-kva.example' }
    assert.equal(read(workspace, google).domain, 'xn--bcher-kva.example')
  })

  it('come from one issuer, however it is written', () => {
    assert.equal(isSameIssuer('https://login.example.com', 'https://LOGIN.example.com/'), true)
    assert.equal(isSameIssuer('https://login.example.com/a', 'https://login.example.com/A'), false)
    assert.equal(isSameIssuer('no address', 'another'), false)
  })

  it('may be anything', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (claims) => {
        const user = read(claims)
        assert.ok((user.groups ?? []).every((group) => typeof group === 'string'))
        const texts = [user.email, user.firstName, user.lastName, user.preferredName]
        assert.ok(texts.every((text) => text === null || (text.trim() === text && !text.includes('\0'))))
      }),
      { seed: runSeed },
    )
  })
})
