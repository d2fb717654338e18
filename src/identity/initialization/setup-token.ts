/** The token without which nobody creates the first administrator of a service in production. */
import { hash, timingSafeEqual } from 'node:crypto'
import type { Shared } from '../../core/context.ts'
import { refusal } from '../../core/errors.ts'

/** The purpose of the digest that is the token where the operator has set none. */
export const setupTokenPurpose = 'setup-token'

export interface SetupSettings {
  production: boolean
  /** `SETUP_TOKEN` */
  setupToken: string | null
}

/**
 * The token that is asked for; `null` in development, where whoever comes first creates the administrator. A generated
 * one is the same on every instance and after each start.
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

/** 192 bits. */
const generatedLength = 32

/** @throws ServiceError `forbidden` when the token that is asked for is another one */
export function checkSetupToken(shared: Shared, settings: SetupSettings, given: string | undefined): void {
  const token = setupTokenOf(shared, settings)
  if (token === null) return
  const [one, other] = [token, given ?? ''].map((text) => hash('sha256', text, 'buffer'))
  if (one !== undefined && other !== undefined && timingSafeEqual(one, other)) return
  const place = settings.setupToken === null ? 'that the service has printed at its start' : 'of SETUP_TOKEN'
  throw refusal('setupTokenRequired', { place })
}
