/** The token that is required in production to create the first administrator of a service. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Shared } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'

/** The purpose of the keyed digest that serves as token if the operator has set none. */
export const setupTokenPurpose = 'setup-token'

export interface SetupSettings {
  production: boolean
  /** `SETUP_TOKEN` */
  setupToken: string | null
}

/**
 * @returns the required token; `null` in development, where the first caller creates the administrator. A generated
 *   token is the same on every instance and after each start
 */
export function setupTokenOf(
  { secretBox }: Shared,
  { production, setupToken }: SetupSettings,
): string | null {
  if (setupToken !== null || !production) return setupToken
  return secretBox
    .digest('first administrator', setupTokenPurpose)
    .toString('base64url')
    .slice(0, generatedLength)
}

/** The characters of a generated token, which have 192 bits. */
const generatedLength = 32

/** @throws ServiceError `forbidden` if the given token is not the required one */
export function checkSetupToken(shared: Shared, settings: SetupSettings, given: string | undefined): void {
  const token = setupTokenOf(shared, settings)
  if (token === null) return
  const [one, other] = [token, given ?? ''].map((text) => hash('sha256', text, 'buffer'))
  if (one !== undefined && other !== undefined && timingSafeEqual(one, other)) return
  const place = settings.setupToken === null ? 'that the service has printed at its start' : 'of SETUP_TOKEN'
  throw refusal('setupTokenRequired', { place })
}
