/** What a provider says of a user, read from the claims of its ID token (OpenID Connect Core, section 5.1). */
import { foldMailDomain, isMailAddress } from '../../core/mail-address.ts'

export interface ProviderUser {
  /** Unique and stable at the issuer. */
  subject: string
  /** `null` if there is none, or the provider says that it is not verified. */
  email: string | null
  firstName: string | null
  lastName: string | null
  /** What the user is called at the provider. It may change, and identifies nobody. */
  preferredName: string | null
  groups: string[]
  /** Whether the provider has left groups out because there are too many (Entra ID). */
  lacksGroups: boolean
  /** The domain of the organisation (Google); `null` for a private account there. */
  hostedDomain: string | null
}

type Claims = Readonly<Record<string, unknown>>

export function readClaims(claims: Claims, groupsClaim: string): ProviderUser {
  const name = textOf(claims['name'])?.split(/\s+/) ?? []
  return {
    subject: textOf(claims['sub']) ?? '',
    email: isUnverified(claims) ? null : textOf(claims['email']),
    firstName: textOf(claims['given_name']) ?? name[0] ?? null,
    lastName: textOf(claims['family_name']) ?? (name.length > 1 ? (name.at(-1) ?? null) : null),
    preferredName: textOf(claims['preferred_username']),
    groups: [claims[groupsClaim]].flat().filter((group) => typeof group === 'string'),
    lacksGroups: isLeftOut(claims, groupsClaim),
    hostedDomain: textOf(claims['hd']),
  }
}

/**
 * The domain in ASCII and lower case; `null` for what is no address. An issuer of many organisations verifies an address, but not
 * that its holder belongs to the domain: the organisation of the account has to be the same.
 */
export function domainOf({ email, hostedDomain }: ProviderUser, issuer: string): string | null {
  if (email === null || !isMailAddress(email)) return null
  const domain = foldMailDomain(email.slice(email.lastIndexOf('@') + 1))
  if (sharedIssuers.has(issuer) && (hostedDomain === null || domain !== foldMailDomain(hostedDomain)))
    return null
  return domain
}

const sharedIssuers: ReadonlySet<string> = new Set(['https://accounts.google.com'])

/** `xms_edov` is Entra ID's word on whether the owner of the domain has verified the address. */
function isUnverified(claims: Claims): boolean {
  return [claims['email_verified'], claims['xms_edov']].some((value) =>
    [false, 'false', 0, '0'].some((no) => no === value),
  )
}

function isLeftOut(claims: Claims, groupsClaim: string): boolean {
  const names = claims['_claim_names']
  return claims['hasgroups'] === true || (typeof names === 'object' && names !== null && groupsClaim in names)
}

/** Texts that a database stores, without blanks around them. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return null
  return value.trim() === '' ? null : value.trim().slice(0, maxTextLength)
}

const maxTextLength = 255
