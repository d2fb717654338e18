/** A new passkey, between the service and the authenticator (WebAuthn Level 3). */
import { requestRecent } from '../../component/step-up.tsx'
import { text } from '../../text/text.ts'

const texts = text.access.passkeys

export const passkeyPath = '/api/auth/passkeys'

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface AddedPasskey extends Passkey {
  /** With the first factor of the user. */
  recoveryCodes: readonly string[] | null
}

/** Browsers offer it over HTTPS and on `localhost`. */
export function canMakePasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** @throws ApiError; Error when the user or the authenticator makes none */
export async function makePasskey(name: string): Promise<AddedPasskey> {
  const { body: options } = await requestRecent<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    `${passkeyPath}/creation-options`,
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey }).catch((cause: unknown) => {
    throw refusalOf(cause)
  })
  if (!(credential instanceof PublicKeyCredential)) throw new Error(texts.cancelled)
  const body = { name, response: credential.toJSON() }
  return (await requestRecent<AddedPasskey>('POST', passkeyPath, { body })).body
}

/** Browsers tell why in a language of their own. */
function refusalOf(cause: unknown): unknown {
  if (!(cause instanceof DOMException)) return cause
  if (cause.name === 'InvalidStateError') return new Error(texts.present, { cause })
  return cause.name === 'NotAllowedError' ? new Error(texts.cancelled, { cause }) : cause
}
