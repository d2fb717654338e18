/**
 * One form of a password for all that look alike: keyboards and systems write accents and blanks in different ways
 * (RFC 8265, section 4.2.2).
 */
export function preparePassword(password: string): string {
  return password.normalize('NFC').replaceAll(/\p{Zs}/gu, ' ')
}

/**
 * An earlier version has hashed passwords as they were typed: as now, or with accents of their own.
 * @returns `null` if there is one form only
 */
export function formerForm(password: string, prepared: string): string | null {
  const former = password === prepared ? password.normalize('NFD') : password
  return former === prepared ? null : former
}
