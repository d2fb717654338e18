/** Passkeys of users: adding, listing, renaming and removing them. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import { newId } from '../../core/id.ts'
import { isDuplicate } from '../../database/executor.ts'
import { issueToken, redeemToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import { factorsOf, refuseWithoutFactor, removeUselessCodes } from '../second-factor/factor.ts'
import { notify } from '../second-factor/mail.ts'
import { changeOwnFactors } from '../second-factor/own-factor.ts'
import { renewRecoveryCodes } from '../second-factor/recovery-code.ts'
import { needsSecondFactor } from '../second-factor/requirement.ts'
import { type Account, userEntry } from '../user/account.ts'
import { signedIn } from '../user/signed-in.ts'
import { algorithms, challengeIn, library, type RelyingParty, verifyRegistration } from './relying-party.ts'
import { type AddedPasskey, maxPasskeys, type Passkey, type PasskeyInput } from './schema.ts'
import { deletePasskeys, insertPasskey, type PasskeyRow, passkeysOf, renamePasskeyRow } from './sql.ts'

/** How long a user may take to answer a challenge. */
export const challengeMs = 5 * 60_000
const addPurpose = tokenPurpose<object>('passkey-add', challengeMs)

export async function listPasskeys(context: Context): Promise<Passkey[]> {
  return (await passkeysOf(atHome(context).catalogue.ofUser(signedIn(context).id))).map(toPasskey)
}

/** @returns what the browser needs to make a passkey @throws ServiceError `invalid` for too many */
export async function beginPasskey(context: Context, party: RelyingParty): Promise<object> {
  const { generateRegistrationOptions } = await library()
  return changeOwnFactors(context, async (inside, account) => {
    const present = await passkeysOf(inside.catalogue.ofUser(account.id))
    refuseTooMany(present)
    const { token } = await issueToken(inside, addPurpose, { accountId: account.id, data: {} })
    return generateRegistrationOptions({
      rpName: inside.tenant.name,
      rpID: party.id,
      userName: account.user_name,
      userDisplayName: `${account.first_name} ${account.last_name}`,
      userID: new Uint8Array(Buffer.from(account.id)),
      challenge: new Uint8Array(Buffer.from(token, 'base64url')),
      timeout: challengeMs,
      supportedAlgorithmIDs: algorithms,
      excludeCredentials: present.map(toDescriptor),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  })
}

/** @throws ServiceError `invalid` for an answer to another challenge or from elsewhere */
export async function addPasskey(
  context: Context,
  party: RelyingParty,
  { name, response }: PasskeyInput,
): Promise<AddedPasskey> {
  const credential = await verifyNew(context, party, response)
  if (credential === null) throw invalidField('response', 'is not valid, or it is too late', 'expired')
  return changeOwnFactors(context, async (inside, account) => {
    refuseTooMany(await passkeysOf(inside.catalogue.ofUser(account.id)))
    const isFirst = (await factorsOf(inside, account.id)).length === 0
    const row: PasskeyRow = {
      id: newId(),
      tenant_id: account.tenant_id,
      account_id: account.id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: (response.response.transports ?? []).join(' '),
      name,
      created_at: now(inside),
      last_used_at: null,
    }
    await insertPasskey(inside.catalogue.ofUser(account.id), row).catch((error: unknown) => {
      throw isDuplicate(error, 'credential_id')
        ? invalidField('response', 'is a passkey already', 'taken')
        : error
    })
    await record(inside, 'passkey.added', account, row)
    await notify(inside, account, 'passkeyAdded')
    const recoveryCodes = isFirst ? await renewRecoveryCodes(inside, account) : null
    return { ...toPasskey(row), recoveryCodes }
  })
}

/** @throws ServiceError `notFound`, also for the passkey of another user */
export function renamePasskey(context: Context, id: string, name: string): Promise<Passkey> {
  return changeOwnFactors(context, async (inside, account) => {
    const row = await renamePasskeyRow(inside.catalogue.ofUser(account.id), id, name)
    if (row === null) throw noSuchPasskey()
    await record(inside, 'passkey.renamed', account, row)
    return toPasskey(row)
  })
}

/** @throws ServiceError like `renamePasskey`; `invalid` for the last factor where the tenant requires one */
export async function removePasskey(context: Context, id: string): Promise<void> {
  const isRequired = await needsSecondFactor(context)
  await changeOwnFactors(context, async (inside, account) => {
    const user = inside.catalogue.ofUser(account.id)
    const row = (await passkeysOf(user)).find((each) => each.id === id)
    if (row === undefined) throw noSuchPasskey()
    await deletePasskeys(user, id)
    if (isRequired) await refuseWithoutFactor(inside, account.id)
    await removeUselessCodes(inside, account.id)
    await record(inside, 'passkey.removed', account, row)
    await notify(inside, account, 'passkeyRemoved')
  })
}

export function toDescriptor({ credential_id: id, transports }: PasskeyRow) {
  return { id, transports: transports === '' ? [] : transports.split(' ') }
}

/** Verifies the answer of the browser. A challenge works once, also if the answer is wrong. */
async function verifyNew(context: Context, party: RelyingParty, response: PasskeyInput['response']) {
  const challenge = challengeIn(response)
  if (challenge === null) return null
  const begun = await changeOwnFactors(context, async (inside, account) => {
    const token = await redeemToken(inside, addPurpose, challenge)
    return token?.accountId === account.id
  })
  if (!begun) return null
  const { transports, ...attestation } = response.response
  return verifyRegistration(context, party, {
    response: {
      ...response,
      response: { ...attestation, transports: transports ?? [] },
      clientExtensionResults: {},
    },
    challenge,
  })
}

function record(
  inside: Context,
  action: 'passkey.added' | 'passkey.renamed' | 'passkey.removed',
  account: Account,
  { id, name }: PasskeyRow,
): Promise<void> {
  return recordAudit(inside, userEntry(action, account, { passkeyId: id, name }))
}

function refuseTooMany(present: readonly PasskeyRow[]): void {
  if (present.length >= maxPasskeys) throw refusal('tooManyPasskeys', { limit: maxPasskeys })
}

function noSuchPasskey(): ServiceError {
  return refusal('noSuch', { label: 'passkey' })
}

function toPasskey({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return { id, name, createdAt: created_at, lastUsedAt: last_used_at }
}
