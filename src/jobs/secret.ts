/** The secrets of jobs, which `enqueueWithSecret` stores. */
import type { Context } from '../core/context.ts'
import { jobSecretPurpose } from './enqueue.ts'
import { deleteSecret, findSecret } from './sql.ts'

/** @returns `null` without a secret, and after it was forgotten @throws CannotDecrypt */
export async function readJobSecret({ data, shared }: Context, jobId: string): Promise<string | null> {
  const secret = await findSecret(data, jobId)
  return secret === null ? null : shared.secretBox.decrypt(secret, jobSecretPurpose)
}

/** Inside a transaction of the tenant whose job it is. */
export function forgetJobSecret(inside: Context, jobId: string): Promise<void> {
  return deleteSecret(inside.data, jobId)
}
