/** Reports sign-ins from a device and a network that the user has not signed in from lately. */

import { hasAudited } from '../../core/audit/audit.ts'
import { type Context, now } from '../../core/context.ts'
import { mailedUserName } from '../../core/display-name.ts'
import { publish } from '../../core/events/publish.ts'
import { clientNetwork } from '../../core/network.ts'
import { sendNotice } from '../../mail/send.ts'
import type { Account } from '../user/account.ts'
import { deviceOf } from './device.ts'
import { hasSignedInFrom, userAgentsSince } from './sql.ts'

const rememberedMs = 30 * 24 * 60 * 60 * 1000
/** The most different `User-Agent` values in this time. A user with more is not told of new devices. */
const maxUserAgents = 200

/**
 * To be called inside the transaction of a sign-in, before its session is stored. The first
 * sign-in of a user is not reported.
 */
export async function reportNewDevice(inside: Context, account: Account, sessionId: string): Promise<void> {
  const network = clientNetwork(inside.clientAddress ?? '')
  const device = deviceOf(inside.userAgent)
  if (!(await isNew(inside, account, { device, network }))) return
  const { id: userId, user_name: userName, email, tenant_id: tenantId } = account
  const signIn = { device, network, signedInAt: now(inside) }
  await publish(inside, 'device.added', { userId, userName, sessionId, ...signIn }, tenantId)
  const values = { userName: mailedUserName(userName, email), ...signIn }
  await sendNotice(inside, 'account.newDevice', { to: email, values })
}

async function isNew(
  inside: Context,
  { id }: Account,
  { device, network }: { device: string; network: string },
): Promise<boolean> {
  const { catalogue, shared } = inside
  const user = catalogue.ofUser(id)
  const since = new Date(shared.clock().getTime() - rememberedMs).toISOString()
  if (await hasSignedInFrom(user, network, since)) return false
  const agents = await userAgentsSince(user, { since, limit: maxUserAgents })
  if (agents.length >= maxUserAgents || agents.some((agent) => deviceOf(agent) === device)) return false
  return agents.length > 0 || hasAudited(catalogue, { action: 'session.started', actorId: id })
}
