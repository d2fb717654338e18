/** Step-up: signed-in users prove again who they are, which dangerous operations require. */

import { sessionOf } from '../../core/actor.ts'
import { recordAudit } from '../../core/audit/audit.ts'
import { type Actor, type Context, now } from '../../core/context.ts'
import { atHome } from '../../core/create-context.ts'
import { invalidField, ServiceError } from '../../core/errors.ts'
import { inCatalogue } from '../../core/transaction.ts'
import { refuseGuessing, useCode } from '../second-factor/code.ts'
import { checkOwnPassword, lockActiveAccount, lockUnchanged } from '../user/credentials.ts'
import { signedIn } from '../user/signed-in.ts'
import type { SignInBackoff } from './backoff.ts'
import type { SteppedUp, StepUpInput } from './schema.ts'
import { setAuthenticatedAt } from './sql.ts'

/**
 * @param backoff limits guessing of the password with a stolen token, together with changes of the password
 * @throws ServiceError `invalid` when password or code is wrong, `tooManyRequests` after several failures, `overloaded`
 */
export async function stepUp(
  context: Context,
  backoff: SignInBackoff,
  proof: StepUpInput,
): Promise<SteppedUp> {
  const actor = signedIn(context)
  const isCode = 'code' in proof
  const proven = isCode
    ? await proveByCode(context, actor, proof.code)
    : await proveByPassword(context, { actor, backoff, password: proof.password })
  if (proven === null) throw invalidField(isCode ? 'code' : 'password', 'is wrong', 'wrong')
  return proven
}

async function proveByPassword(
  context: Context,
  { actor, backoff, password }: { actor: Actor; backoff: SignInBackoff; password: string },
): Promise<SteppedUp | null> {
  const account = await checkOwnPassword(context, backoff, password)
  return inCatalogue(atHome(context), async (inside) => {
    const isUnchanged = account !== null && (await lockUnchanged(inside, account)) !== null
    return recordProof(inside, actor, isUnchanged)
  })
}

/** A wrong code is counted together with wrong codes of sign-ins. */
function proveByCode(context: Context, actor: Actor, code: string): Promise<SteppedUp | null> {
  if (actor.tenantId !== context.tenant.id) throw new ServiceError('wrongTenant')
  return inCatalogue(context, async (inside) => {
    const account = await lockActiveAccount(inside, actor.id)
    if (account !== null) await refuseGuessing(inside, account)
    return recordProof(inside, actor, account !== null && (await useCode(inside, account, { code })) !== null)
  })
}

async function recordProof(inside: Context, actor: Actor, isRight: boolean): Promise<SteppedUp | null> {
  const id = sessionOf(actor)
  const authenticatedAt = now(inside)
  if (isRight && id !== null) await setAuthenticatedAt(inside.catalogue.ofUser(actor.id), id, authenticatedAt)
  const action = isRight ? 'session.steppedUp' : 'session.stepUpRefused'
  await recordAudit(inside, { action, tenantId: actor.tenantId, subjectType: 'session', subjectId: id })
  return isRight ? { authenticatedAt } : null
}
