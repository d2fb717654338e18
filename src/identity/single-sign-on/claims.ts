/** What a provider says of a user, read from its claims (OpenID Connect Core, section 5.1). */
import { isObject } from '../../core/is-object.ts'
import { foldMailDomain, isMailAddress } from '../../core/mail-address.ts'

export interface ProviderUser {
  /** Unique and stable at the issuer. */
  subject: string
  /** `null` if there is none, or the provider says that it is not verified. Many providers say nothing. */
  email: string | null
  firstName: string | null
  lastName: string | null
  /** The user name at the provider. It may change, and identifies nobody. */
  preferredName: string | null
  /** `null` if the claim is absent or has an unknown form: the groups are then unknown. */
  groups: string[] | null
  /** Whether the provider has left groups out because there are too many (Entra ID). */
  lacksGroups: boolean
  /** The domain of the organisation (Google); `null` for a private account there. */
  hostedDomain: string | null
}

export type Claims = Readonly<Record<string, unknown>>

/** @param sources the claims of the ID token, which come first, and those of the user information */
export function readClaims(sources: readonly Claims[], groupsClaim: string): ProviderUser {
  const text = (path: string) => textOf(claimAt(sources, path))
  const name = text('name')?.split(/\s+/) ?? []
  return {
    subject: text('sub') ?? '',
    email: sources.every(isVerified) ? text('email') : null,
    firstName: text('given_name') ?? name[0] ?? null,
    lastName: text('family_name') ?? (name.length > 1 ? (name.at(-1) ?? null) : null),
    preferredName: text('preferred_username'),
    groups: groupsOf(claimAt(sources, groupsClaim)),
    lacksGroups: sources.some((claims) => isLeftOut(claims, groupsClaim)),
    hostedDomain: text('hd'),
  }
}

/**
 * The value of the first source that has it.
 * @param path the name of a claim, or the names that lead to it, such as `realm_access.roles`; a name may have dots
 * @returns `undefined` for a claim that is absent
 */
export function claimAt(sources: readonly Claims[], path: string): unknown {
  for (const claims of sources) {
    const value = valueAt(claims, path)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

/** @returns the domain in ASCII and lower case; `null` for a text that is no address */
export function domainOf(email: string): string | null {
  return isMailAddress(email) ? foldMailDomain(email.slice(email.lastIndexOf('@') + 1)) : null
}

/**
 * Whether the user belongs to the domain of the address. An issuer of many organisations verifies an address, but
 * not that its holder belongs to the domain: the organisation of the account must have this domain.
 */
export function belongsTo(domain: string, { hostedDomain }: ProviderUser, issuer: string): boolean {
  if (!sharedIssuers.some((each) => isSameIssuer(each, issuer))) return true
  return hostedDomain !== null && domain === foldMailDomain(hostedDomain)
}

const sharedIssuers = ['https://accounts.google.com']

/** Compares issuers as URLs: a closing slash and the case of the host make no difference. */
export function isSameIssuer(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.canParse(other) && hrefOf(one) === hrefOf(other))
}

function hrefOf(issuer: string): string {
  return new URL(issuer).href
}

/** Whether the address counts as verified: without a word of the provider, but not with another value than `true`. */
function isVerified(claims: Claims): boolean {
  const { email_verified: isEmailVerified = true, xms_edov: isDomainOwner = true } = claims
  return yes.has(isEmailVerified) && (yes.has(isDomainOwner) || numericYes.has(isDomainOwner))
}

const yes: ReadonlySet<unknown> = new Set([true, 'true'])
/** Entra ID says whether the owner of the domain has verified the address (`xms_edov`), in some tokens as a number. */
const numericYes: ReadonlySet<unknown> = new Set([1, '1'])

function valueAt(value: unknown, path: string): unknown {
  if (!isObject(value)) return undefined
  if (Object.hasOwn(value, path)) return value[path]
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const found = Object.hasOwn(value, name) ? valueAt(value[name], path.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Reads groups in three forms: a list, one text, or an object with an object for each group (Zitadel). */
function groupsOf(value: unknown): string[] | null {
  if (isObject(value)) return Object.values(value).every(isObject) ? Object.keys(value) : null
  const members = value === undefined ? [undefined] : [value].flat()
  const groups = members.filter((group) => typeof group === 'string')
  return members.length > 0 && groups.length === 0 ? null : groups
}

/** Whether the groups are left out (Entra ID: `hasgroups` or `_claim_names`). */
function isLeftOut(claims: Claims, groupsClaim: string): boolean {
  const names = claims['_claim_names']
  return claims['hasgroups'] === true || (isObject(names) && groupsClaim in names)
}

/** @returns the trimmed text; `null` for a value that is no text, or that a database cannot store */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return null
  return value.trim() === '' ? null : shorten(value.trim(), maxTextLength)
}

const maxTextLength = 255

/** Shortens a text without splitting a surrogate pair. */
export function shorten(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')
}
