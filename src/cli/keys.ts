/** The commands `tenantry keys rotate` and `tenantry keys reencrypt`. */
import { ServiceError } from '../core/errors.ts'
import { rotateKeys } from '../identity/key/signing-keys.ts'
import { type ReencryptReport, reencryptAll } from '../operations/reencrypt/reencrypt.ts'
import { print, type Run } from './command.ts'
import { deepestReason } from './failure.ts'
import { withOperator } from './with-operator.ts'

export const rotate: Run = (config, { flags }, service, { output }) =>
  withOperator(config, service, async ({ context, keys }) => {
    const isImmediate = flags.has('now')
    const { keyId, signsFrom } = await rotateKeys(context, keys, { isImmediate })
    const text = isImmediate
      ? `New tokens are signed with key ${keyId}.`
      : `Key ${keyId} is published, and signs new tokens from ${signsFrom}.`
    print(output, text)
  })

/** @throws ServiceError when values remain that are not encrypted under the current master key */
export const reencrypt: Run = (config, { flags }, service, { output }) =>
  withOperator(config, service, async ({ context }) => {
    const dryRun = flags.has('dry-run')
    const failed: string[] = []
    const report = (outcome: ReencryptReport): void => {
      const name = outcome.tenantId ?? 'The shared database'
      if (!isDone(outcome, dryRun)) failed.push(outcome.tenantId ?? 'the service')
      print(output, `${name}: ${describe(outcome, dryRun)}`)
    }
    await reencryptAll(context, { dryRun, report })
    const { keyId } = context.shared.secretBox
    if (failed.length > 0) {
      const text = `Not everything is encrypted under the master key ${keyId}: see the databases of ${failed.join(', ')}.`
      throw new ServiceError('unavailable', text)
    }
    if (!dryRun) print(output, `Everything is encrypted under the master key ${keyId}.`)
  })

function isDone({ reencrypted }: ReencryptReport, dryRun: boolean): boolean {
  return reencrypted !== null && (dryRun ? reencrypted.undecryptable === 0 : reencrypted.left === 0)
}

function describe({ reencrypted, error }: ReencryptReport, dryRun: boolean): string {
  if (reencrypted === null) return `failed ${deepestReason(error)}`.trim()
  const { done, undecryptable, left } = reencrypted
  return [
    dryRun ? `${done} to re-encrypt` : `${done} re-encrypted`,
    ...(undecryptable > 0 ? [`${undecryptable} that no key decrypts`] : []),
    ...(!dryRun && left > undecryptable ? [`${left - undecryptable} left`] : []),
  ].join(', ')
}
