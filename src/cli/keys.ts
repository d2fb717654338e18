import { ServiceError } from '../core/errors.ts'
import { rotateKeys } from '../identity/key/signing-keys.ts'
import { type ResealReport, resealAll } from '../operations/reencrypt/reencrypt.ts'
import { print, type Run } from './command.ts'
import { deepestReason } from './failure.ts'
import { withOperator } from './with-operator.ts'

export const rotate: Run = (config, _given, service) =>
  withOperator(config, service, async ({ context, keys }) => {
    print(`New tokens are signed with key ${await rotateKeys(context, keys)}.`)
  })

/** @throws ServiceError when something is left that is not under the present master key */
export const reseal: Run = (config, { flags }, service) =>
  withOperator(config, service, async ({ context }) => {
    const dryRun = flags.has('dry-run')
    const failed: string[] = []
    const report = (made: ResealReport): void => {
      const name = made.tenantId ?? 'The shared database'
      if (!isDone(made, dryRun)) failed.push(made.tenantId ?? 'the service')
      print(`${name}: ${describe(made, dryRun)}`)
    }
    await resealAll(context, { dryRun, report })
    const { keyId } = context.shared.sealer
    if (failed.length > 0) {
      const text = `Not everything is sealed under the master key ${keyId}: see the databases of ${failed.join(', ')}.`
      throw new ServiceError('unavailable', text)
    }
    if (!dryRun) print(`Everything is sealed under the master key ${keyId}.`)
  })

function isDone({ resealed }: ResealReport, dryRun: boolean): boolean {
  return resealed !== null && (dryRun ? resealed.unopened === 0 : resealed.left === 0)
}

function describe({ resealed, error }: ResealReport, dryRun: boolean): string {
  if (resealed === null) return `failed ${deepestReason(error)}`.trim()
  const { done, unopened, left } = resealed
  return [
    dryRun ? `${done} to reseal` : `${done} resealed`,
    ...(unopened > 0 ? [`${unopened} that no key opens`] : []),
    ...(!dryRun && left > unopened ? [`${left - unopened} left`] : []),
  ].join(', ')
}
