/** Signs up tenants, and reads the mails. */
import assert from 'node:assert/strict'
import type { CollectedMails } from '../../../src/testing/collected-mails.ts'
import type { Answer } from '../../support/client.ts'
import { eventually, soonMs } from '../../support/eventually.ts'
import { fromAnyAddress } from '../../support/http/forwarded.ts'
import { mailedToken } from '../../support/mailed-token.ts'
import { password, person, type TestService, uniqueName } from '../../support/service.ts'

export class Applicant {
  readonly #service: TestService
  readonly #mails: CollectedMails
  readonly name = uniqueName('org')
  readonly email = `${uniqueName('ada')}@example.com`

  constructor(service: TestService, mails: CollectedMails) {
    this.#service = service
    this.#mails = mails
  }

  request(members: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const input = { ...person('ada', { email: this.email }), tenantName: `The ${this.name}`, ...members }
    return this.#service.anonymous.post('/api/auth/sign-up', input, { ...fromAnyAddress(), ...headers })
  }

  verify(token: string, given = password): Promise<Answer> {
    const input = { token, password: given }
    return this.#service.anonymous.post('/api/auth/sign-up/verify', input, fromAnyAddress())
  }

  mails(template: string): { text: string; subject: string }[] {
    return this.#mails.list().filter((mail) => mail.to === this.email && mail.template === template)
  }

  async mail(template: string): Promise<{ text: string; subject: string }> {
    await eventually(`the mail ${template}`, soonMs, async () => this.mails(template).length > 0)
    return this.mails(template).at(-1) ?? { text: '', subject: '' }
  }

  /** @returns the token of the mail */
  async signUp(members: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.request(members)
    assert.equal(answer.status, 202, answer.text)
    return mailedToken((await this.mail('account.signUp')).text)
  }
}
