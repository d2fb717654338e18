/** Reads and deletes the secrets of jobs, which `enqueueWithSecret` stores. */
import type { Context } from '../core/context.ts'
import { jobSecretPurpose } from './enqueue.ts'
import { deleteSecret, findSecret } from './sql.ts'

/** @returns `null` without a secret, and after it was deleted @throws CannotDecrypt */
export async function readJobSecret({ data, shared }: Context, jobId: string): Promise<string | null> {
  const secret = await findSecret(data, jobId)
  return secret === null ? null : shared.secretBox.decrypt(secret, jobSecretPurpose)
}

/** Deletes the secret, inside a transaction of the job's tenant. */
export function forgetJobSecret(inside: Context, jobId: string): Promise<void> {
  return deleteSecret(inside.data, jobId)
}
