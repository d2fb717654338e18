import { CannotDecrypt } from '../core/encryption/secret-box.ts'

/** @returns `null` for a value that is damaged, or encrypted under a master key that the settings do not have */
export function decryptedOrNull<T>(decrypt: () => T): T | null {
  try {
    return decrypt()
  } catch (error) {
    if (error instanceof CannotDecrypt) return null
    throw error
  }
}
