/** The names and the address of a user as the provider gives them, and how they change the stored user. */
import { randomBytes } from 'node:crypto'
import { Compile, type Validator } from 'typebox/compile'
import type { AttributeChange } from '../../core/attributes.ts'
import type { Context } from '../../core/context.ts'
import { isMailAddress } from '../../core/mail-address.ts'
import { type Account, foldUserName } from '../user/account.ts'
import { changedAttributes } from '../user/attributes.ts'
import { findAccountByLogin } from '../user/credentials.ts'
import { UserInput, type UserUpdate } from '../user/schema.ts'
import type { HashedUser } from '../user/user.ts'
import { belongsTo, domainOf, type ProviderUser, shorten } from './claims.ts'
import { isProven } from './domain.ts'
import type { IdentityProviderRow } from './sql.ts'

/** A user as a provider describes it, and the provider. */
export interface Provided {
  row: IdentityProviderRow
  user: ProviderUser
  /** The attributes of the user by the claims. */
  attributes: AttributeChange
}

/** @returns the address that the provider has verified, if the tenant has proven its domain; otherwise why not */
export async function provenAddress(
  inside: Context,
  { row, user }: Provided,
): Promise<{ email: string } | { refused: string }> {
  const { email } = user
  if (email === null) return { refused: 'The provider gives no verified address.' }
  const domain = domainOf(email)
  if (domain === null || !isAddress(email))
    return { refused: 'The provider gives an address that no mail can be sent to.' }
  if (!belongsTo(domain, user, row.issuer)) return { refused: 'The provider gives no verified address.' }
  if (!(await isProven(inside, domain))) return { refused: `The domain ${domain} is not proven.` }
  return { email }
}

export async function newUser(
  inside: Context,
  user: ProviderUser & { email: string; roles: string[]; attributes: AttributeChange },
): Promise<HashedUser> {
  const local = localPartOf(user.email)
  return {
    userName: await freeUserName(inside, user),
    email: user.email,
    firstName: shorten(user.firstName ?? local, maxNameLength),
    lastName: shorten(user.lastName ?? '-', maxNameLength),
    roles: user.roles,
    attributes: user.attributes,
    passwordHash: inside.shared.passwords.unusable(),
    isEmailVerified: true,
  }
}

/** @returns the differences from the stored user. An address that another user has is not adopted. */
export async function changedProfile(
  inside: Context,
  provided: Provided,
  account: Account,
): Promise<UserUpdate> {
  const { firstName, lastName } = provided.user
  const [first, last] = [firstName, lastName].map((name) => name && shorten(name, maxNameLength))
  return {
    ...(first && first !== account.first_name && { firstName: first }),
    ...(last && last !== account.last_name && { lastName: last }),
    ...changedClaims(inside, provided, account),
    ...(await changedAddress(inside, provided, account)),
  }
}

function changedClaims(
  inside: Context,
  { attributes }: Provided,
  account: Account,
): Pick<UserUpdate, 'attributes'> {
  return changedAttributes(inside, account, attributes) === undefined ? {} : { attributes }
}

async function changedAddress(inside: Context, provided: Provided, account: Account): Promise<UserUpdate> {
  const proven = await provenAddress(inside, provided)
  if ('refused' in proven || foldUserName(proven.email) === account.email_key) return {}
  const { email } = proven
  const owner = await findAccountByLogin(inside, email)
  if (owner !== null && owner.id !== account.id) return {}
  // The user name is also the former address: unless it changes, nobody else could use that address.
  if (account.user_name_key !== account.email_key) return { email }
  return { email, userName: await freeUserName(inside, { ...provided.user, email }) }
}

/** Whether the address is valid by the rules for addresses in requests. */
function isAddress(email: string): boolean {
  validator ??= Compile(UserInput.properties.email)
  return validator.Check(email) && isMailAddress(email)
}

let validator: Validator | null = null

const maxNameLength = 100
const maxUserNameLength = 50

type NamedUser = Pick<ProviderUser, 'preferredName'> & { email: string }

/**
 * @returns the first candidate that is not taken, converted to the characters of user
 *   names; otherwise a random name
 */
async function freeUserName(inside: Context, { preferredName, email }: NamedUser): Promise<string> {
  const candidates = [preferredName ?? '', localPartOf(email), email].map(asUserName)
  for (const name of candidates) {
    const isTaken = async () => (await findAccountByLogin(inside, name)) !== null
    if (name.length >= 3 && !(await isTaken())) return name
  }
  return `user-${randomBytes(8).toString('hex')}`
}

/** Removes accents, and replaces other characters. @returns an empty text if most characters are not ASCII */
function asUserName(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const nonAscii = plain.match(/\P{ASCII}/gu)?.length ?? 0
  // The beginning of an address may be the address of somebody else.
  if (nonAscii * 2 > plain.length || (plain.includes('@') && plain.length > maxUserNameLength)) return ''
  return plain
    .replaceAll(/[^A-Za-z0-9._@-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, maxUserNameLength)
}

function localPartOf(email: string): string {
  return email.split('@')[0] ?? ''
}
