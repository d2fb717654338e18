/** Creates a passkey with the service and the authenticator (WebAuthn Level 3). */
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
  /** Present with the first second factor of the user. */
  recoveryCodes: readonly string[] | null
}

/** Whether the browser can create passkeys: over HTTPS or on `localhost`. */
export function canMakePasskeys(): boolean {
  return 'PublicKeyCredential' in globalThis && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** @throws ApiError; Error if the user cancels or the authenticator fails */
export async function makePasskey(name: string): Promise<AddedPasskey> {
  const { body: options } = await requestRecent<PublicKeyCredentialCreationOptionsJSON>(
    'POST',
    `${passkeyPath}/creation-options`,
  )
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey }).catch((cause: unknown) => {
    throw refusalOf(cause)
  })
  if (credential === null) throw new Error(texts.cancelled)
  // The type follows from the option `publicKey`. `instanceof` would not do: password managers return objects of
  // their own.
  const body = { name, response: toJson(credential as PublicKeyCredential) }
  return (await requestRecent<AddedPasskey>('POST', passkeyPath, { body })).body
}

/** Reads the members one by one, because `toJSON()` of some password managers throws. */
function toJson({ id, rawId, type, response }: PublicKeyCredential) {
  const { clientDataJSON, attestationObject, getTransports } = response as AuthenticatorAttestationResponse // of a creation
  return {
    id,
    type,
    rawId: encode(rawId),
    response: {
      clientDataJSON: encode(clientDataJSON),
      attestationObject: encode(attestationObject),
      transports: getTransports?.call(response) ?? [],
    },
  }
}

function encode(bytes: ArrayBuffer): string {
  const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @returns an error in the language of the console; browsers use their own language */
function refusalOf(cause: unknown): unknown {
  if (!(cause instanceof DOMException)) return cause
  if (cause.name === 'InvalidStateError') return new Error(texts.present, { cause })
  return cause.name === 'NotAllowedError' ? new Error(texts.cancelled, { cause }) : cause
}
