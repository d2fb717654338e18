/**
 * Normalizes a password before it is hashed, because keyboards and systems encode accents and blanks in different ways
 * (RFC 8265, section 4.2.2).
 */
export function preparePassword(password: string): string {
  return password.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ')
}

/**
 * The other form in which an earlier version, which did not normalize, may have hashed the password.
 * @returns `null` if both forms are equal
 */
export function formerForm(password: string, prepared: string): string | null {
  const former = password === prepared ? password.normalize('NFD') : password
  return former === prepared ? null : former
}
