/** Statements of one user: they find rows by the user, and reach no row of another user or tenant. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { hostTenantId } from '../../src/core/context.ts'
import { newId } from '../../src/core/id.ts'
import { CatalogueData, type UserData } from '../../src/database/data.ts'
import type { Database } from '../../src/database/executor.ts'
import { deleteTokensOf, findToken, insertToken } from '../../src/identity/one-time-token/sql.ts'
import { passkeysOf } from '../../src/identity/passkey/sql.ts'
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  deleteTotp,
  findWrongCodes,
  insertRecoveryCodes,
  upsertWrongCodes,
} from '../../src/identity/second-factor/sql.ts'
import { liveSessionsOf } from '../../src/identity/session/sql.ts'
import { hasIdentity } from '../../src/identity/single-sign-on/sql.ts'
import { accountPage, signInNamesOf } from '../../src/identity/user/sql.ts'
import { explaining, type Plan } from '../support/database/plan.ts'
import { onEachDatabase } from '../support/databases.ts'
import { sharedService, type TestService, type TestTenant } from '../support/service.ts'

const moment = '2026-01-01T00:00:00.000Z'
const token = { data: '{}', failures: 0, created_at: moment, expires_at: '2999-01-01T00:00:00.000Z' }
const noUser = '00000000-0000-0000-0000-000000000000'

onEachDatabase('Statements of a user', (database) => {
  let service: TestService
  let opened: Database
  let tenant: TestTenant
  let one = ''
  let other = ''
  before(async () => {
    service = await sharedService(database)
    tenant = await service.newTenant()
    opened = (await service.service.operator()).shared.catalogueDatabase
    const users = await accountPage(new CatalogueData(tenant.id, opened.executor), {
      after: noUser,
      limit: 2,
    })
    one = users[0]?.id ?? ''
    other = users[1]?.id ?? ''
  })
  after(() => service.stop())

  const within = <T>(work: (rows: (userId: string, tenantId?: string) => UserData) => Promise<T>) =>
    opened.transaction((transaction) =>
      work((userId, id = tenant.id) => new CatalogueData(id, transaction).ofUser(userId)),
    )

  it('reach no row of another user, or of a user of another tenant', async () => {
    await within(async (rowsOf) => {
      const elsewhere = rowsOf(one, hostTenantId)
      for (const id of [one, other])
        await insertRecoveryCodes(rowsOf(id), [{ hash: 'a', created_at: moment }])
      assert.equal(await countRecoveryCodes(elsewhere), 0)
      await deleteRecoveryCodes(elsewhere)
      assert.equal(await countRecoveryCodes(rowsOf(one)), 1)
      await deleteRecoveryCodes(rowsOf(one))
      assert.equal(await countRecoveryCodes(rowsOf(one)), 0)
      assert.equal(await countRecoveryCodes(rowsOf(other)), 1)
    })
  })

  it('do not overwrite the row of a user of another tenant', async () => {
    await within(async (rowsOf) => {
      await upsertWrongCodes(rowsOf(one), { count: 3, last_at: moment })
      await upsertWrongCodes(rowsOf(one, hostTenantId), { count: 9, last_at: moment })
      assert.equal((await findWrongCodes(rowsOf(one)))?.count, 3)
      await upsertWrongCodes(rowsOf(one), { count: 4, last_at: moment })
      assert.equal((await findWrongCodes(rowsOf(one)))?.count, 4)
    })
  })

  it('withdraw the tokens of the user for one purpose, and keep the one that is named', async () => {
    const named = (name: string) => ({
      ...token,
      hash: `${name} ${newId()}`,
      purpose: 'scope',
      account_id: one,
    })
    const [kept, gone] = [named('kept'), named('gone')]
    const rest = [
      { ...named('another purpose'), purpose: 'another' },
      { ...named('another user'), account_id: other },
    ]
    const left = await opened.transaction(async (transaction) => {
      const catalogue = new CatalogueData(tenant.id, transaction)
      const all = [kept, gone, ...rest]
      for (const row of all) await insertToken(catalogue, row)
      await deleteTokensOf(catalogue.ofUser(one), { purpose: 'scope', keptHash: kept.hash })
      const keyOf = ({ hash, purpose }: typeof kept) => ({ hash, purpose, moment })
      return Promise.all(all.map(async (row) => (await findToken(catalogue, keyOf(row))) !== null))
    })
    assert.deepEqual(left, [true, false, true, true])
  })

  const statements: [name: string, run: (user: UserData) => Promise<unknown>][] = [
    ['the tokens', (user) => deleteTokensOf(user, {})],
    ['the tokens for a purpose', (user) => deleteTokensOf(user, { purpose: 'scope' })],
    ['the authenticator app', (user) => deleteTotp(user)],
    ['the recovery codes', countRecoveryCodes],
    ['the deleted recovery codes', deleteRecoveryCodes],
    ['the wrong codes', findWrongCodes],
    ['the passkeys', passkeysOf],
    ['the identity at a provider', (user) => hasIdentity(user, 'https://login.example.com')],
    ['the names', signInNamesOf],
    ['the sessions', (user) => liveSessionsOf(user, moment)],
  ]
  // PostgreSQL chooses by its statistics.
  for (const [name, run] of database === 'sqlite' ? statements : []) {
    it(`find ${name} by the user`, async () => {
      const plans: Plan[] = []
      await opened.transaction((transaction) =>
        run(new CatalogueData(tenant.id, explaining(transaction, plans)).ofUser(newId())),
      )
      const [{ text } = { text: '' }] = plans
      assert.match(text, /SEARCH \w+ USING [\w ]*\(account_id=\?/, text)
    })
  }
})
