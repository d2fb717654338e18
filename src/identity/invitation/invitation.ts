/** Invitations to become a user of the tenant. A link in a mail to the invited address accepts an invitation. */
import { recordAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, now } from '../../core/context.ts'
import { asOperator } from '../../core/create-context.ts'
import { plainName } from '../../core/display-name.ts'
import { invalidField, refusal, type ServiceError } from '../../core/errors.ts'
import { publish } from '../../core/events/publish.ts'
import { newId } from '../../core/id.ts'
import { tenantSetting } from '../../core/tenant/settings/cache.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { lockMailbox } from '../../mail/budget/budget.ts'
import { sendLimitedMail } from '../../mail/send.ts'
import { type AccountPages, accountLink } from '../account-link.ts'
import { requireReturn } from '../code-exchange/code-exchange.ts'
import { issueToken, peekToken, redeemToken, tokenPurpose } from '../one-time-token/one-time-token.ts'
import { recordRefusal } from '../one-time-token/refusal.ts'
import { protectAdministrator } from '../role/administrator.ts'
import { type DefaultRole, defaultRoleName } from '../role/default-role.ts'
import {
  existingRoles,
  grantableRoles,
  haveRolesPermission,
  mayGrant,
  refuseHigherInvitation,
} from '../role/grant.ts'
import { foldUserName, rolesOf } from '../user/account.ts'
import { attributePermission, newAttributes } from '../user/attributes.ts'
import { findAccountByLogin, lockActiveAccount } from '../user/credentials.ts'
import type { User } from '../user/schema.ts'
import { addUser, hashPasswordOf } from '../user/user.ts'
import { invitations } from './readable.ts'
import { type Acceptance, type Invitation, type InvitationInput, maxInvitations } from './schema.ts'
import { type InvitationRow, insertInvitation, invitationsOf, makeRoom, takeInvitation } from './sql.ts'

const validMs = 7 * 24 * 60 * 60_000
const purpose = tokenPurpose<{ invitationId: string }>('invitation', validMs)

export interface InvitationParts {
  pages: AccountPages
  /** The role of an invitation that names none. */
  defaultRole: DefaultRole
}

/**
 * Invites an address. A further invitation of an address replaces the earlier one, whose link stops working.
 * @throws ServiceError `invalid` for the address of a user, and for too many invitations; `forbidden` for roles
 *   that the actor may not grant, also roles of the earlier invitation, for an API key, and for an administrator
 *   without a recent sign-in; `tooManyRequests` when many mails went to the address
 */
export async function createInvitation(
  context: Context,
  { pages, defaultRole }: InvitationParts,
  { email, roles: given, attributes, returnTo }: InvitationInput,
): Promise<Invitation> {
  const actor = requirePerson(context)
  if (!context.shared.mails.isConfigured) throw refusal('noMailToInvite')
  requireReturn(pages, returnTo)
  const wanted = given ?? [await tenantSetting(context, defaultRole)]
  return inCatalogue(context, async (inside) => {
    const { catalogueTenantId: tenantId } = inside
    const roles = await grantableRoles(inside, wanted, given === undefined ? defaultRoleName : 'roles')
    await protectAdministrator(inside, roles)
    // Invitations of one address run one after the other. Simultaneous ones of others may exceed the maximum slightly.
    await lockMailbox(inside, email)
    if ((await findAccountByLogin(inside, email)) !== null)
      throw invalidField('email', 'is that of a user', 'taken')
    await refuseHigherEarlier(inside, email)
    await makeRoom(inside.catalogue, { emailKey: foldUserName(email), moment: now(inside) })
    if ((await invitationsOf(inside.catalogue)).length >= maxInvitations)
      throw refusal('tooManyInvitations', { limit: maxInvitations })
    const id = newId()
    const { token, expiresAt } = await issueToken(inside, purpose, {
      accountId: null,
      data: { invitationId: id },
    })
    const row: InvitationRow = {
      id,
      tenant_id: tenantId,
      email,
      email_key: foldUserName(email),
      roles: roles.join(' '),
      attributes: newAttributes(inside, attributes),
      invited_by: actor.id,
      invited_by_name: actor.userName,
      created_at: now(inside),
      expires_at: expiresAt.toISOString(),
    }
    await insertInvitation(inside.catalogue, row)
    const values = {
      invitedBy: plainName(actor.userName),
      url: accountLink(pages, 'accept-invitation', { tenantId, token, returnTo }),
    }
    if ((await sendLimitedMail(inside, 'account.invitation', { to: email, values, expiresAt })) === null)
      throw refusal('tooManyMails', {}, { retryAfterSeconds: 3600 })
    await publish(inside, 'invitation.created', { invitationId: row.id }, tenantId)
    await record(inside, 'invitation.created', row)
    return invitations.show(inside, id)
  })
}

/** @returns `null` for a token that is unknown, used, expired or withdrawn */
export async function findInvitation(context: Context, token: string): Promise<Invitation | null> {
  const known = await peekToken(context, purpose, token)
  return known === null ? null : invitations.find(context, known.data.invitationId)
}

/** The link stops working. @throws ServiceError `notFound`; `forbidden` for roles that the actor may not grant */
export async function withdrawInvitation(context: Context, id: string): Promise<void> {
  await inCatalogue(context, async (inside) => {
    const row = await takeInvitation(inside.catalogue, id)
    if (row === null) throw refusal('noSuch', { label: 'invitation' })
    await refuseHigherInvitation(inside, rolesIn(row))
    await record(inside, 'invitation.withdrawn', row)
  })
}

/**
 * Creates the user, with the invited address. The inviting user must still be allowed to grant the roles.
 * @throws ServiceError `invalid` for a token that is unknown, used, expired or withdrawn, for a taken user name, and for a
 *   password that is common, breached, or a name; `overloaded`
 */
export async function acceptInvitation(context: Context, { token, ...input }: Acceptance): Promise<User> {
  // An invented token causes reads, but no hash of the password.
  const invitation = await findInvitation(context, token)
  if (invitation === null) {
    await recordRefusal(context, purpose)
    throw notValid()
  }
  const { passwordHash, ...person } = await hashPasswordOf(context, { ...input, email: invitation.email })
  const user = await inCatalogue(asOperator(context), async (inside) => {
    const redeemed = await redeemToken(inside, purpose, token)
    if (redeemed === null) return null
    const { invitationId } = redeemed.data
    const row = await takeInvitation(inside.catalogue, invitationId)
    if (row === null || row.expires_at <= now(inside)) return null
    const roles = rolesIn(row)
    if (!(await isStillGranted(inside, row, roles))) {
      await record(inside, 'invitation.refused', row)
      return null
    }
    const proven = { email: row.email, isEmailVerified: true }
    const attributes = inside.shared.attributes.stored(row.attributes)
    const created = await addUser(inside, { ...person, ...proven, passwordHash, roles, attributes })
    const payload = { invitationId: row.id, userId: created.id }
    await publish(inside, 'invitation.accepted', payload, row.tenant_id)
    await record(inside, 'invitation.accepted', row, { userId: created.id })
    return created
  })
  if (user === null) throw notValid()
  return user
}

/** @throws ServiceError `forbidden` for an earlier invitation whose roles the actor may not grant */
async function refuseHigherEarlier(inside: Context, email: string): Promise<void> {
  const isEarlier = ({ email_key, expires_at }: InvitationRow) =>
    email_key === foldUserName(email) && expires_at > now(inside)
  const earlier = (await invitationsOf(inside.catalogue)).find(isEarlier)
  if (earlier !== undefined) await refuseHigherInvitation(inside, rolesIn(earlier))
}

/** Whether the roles still exist, and the inviting user may still grant them. */
async function isStillGranted(
  inside: Context,
  row: InvitationRow,
  roles: readonly string[],
): Promise<boolean> {
  const inviter = await lockActiveAccount(inside, row.invited_by)
  if (inviter === null) return false
  const inviterRoles = rolesOf(inviter)
  if (row.attributes !== null && !(await haveRolesPermission(inside, inviterRoles, attributePermission)))
    return false
  const existing = await existingRoles(inside, roles)
  return existing.length === roles.length && mayGrant(inside, inviterRoles, roles)
}

/** API keys may not invite: an invitation names the user who has sent it. */
function requirePerson({ actor }: Context): Actor {
  if (actor?.credential.kind === 'session') return actor
  throw refusal('inviterRequired')
}

function notValid(): ServiceError {
  return invalidField('token', 'is not valid: it is mistyped, used, withdrawn, or has expired', 'expired')
}

function record(
  inside: Context,
  action: 'invitation.created' | 'invitation.withdrawn' | 'invitation.accepted' | 'invitation.refused',
  row: InvitationRow,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const { id, tenant_id: tenantId, email, roles } = row
  const subject = { subjectType: 'invitation', subjectId: id }
  const attributes = row.attributes !== null && {
    attributes: inside.shared.attributes.stored(row.attributes),
  }
  return recordAudit(inside, {
    action,
    tenantId,
    ...subject,
    detail: { email, roles, ...attributes, ...detail },
  })
}

function rolesIn({ roles }: InvitationRow): string[] {
  return roles.split(' ')
}
