/** `tenantry tenant move`: moves a tenant to another database, or abandons a move. */
import { abandonMove, moveTenant } from '../operations/move/move.ts'
import type { MoveOptions, MovePhase } from '../operations/move/plan.ts'
import { type Arguments, phasePrinter, print, type Run, UsageError } from './command.ts'
import type { Surroundings } from './surroundings.ts'
import { readConnectionString } from './terminal.ts'
import { withOperator } from './with-operator.ts'

const shared = 'shared'

const phaseTexts: Record<MovePhase, string | null> = {
  copying: 'Copying.',
  verified: 'The copy is complete and verified.',
  switching: 'Switching. Deliveries of the tenant are paused.',
  fenced: null,
  switched: 'The tenant is served from its new database.',
  removing: 'Removing rows from the old database. The command can be interrupted and run again.',
}

export const move: Run = async (config, given, service, surroundings) => {
  const { output } = surroundings
  if (given.flags.has('abandon')) {
    return withOperator(config, service, async ({ context }) => {
      await abandonMove(context, given.argument)
      print(output, `The move of ${given.argument} is abandoned.`)
    })
  }
  const target = given.options['to']
  if (target === undefined) throw new UsageError('--to is missing.')
  const to = await readConnectionString(target, surroundings)
  const options = readOptions(given, surroundings)
  return withOperator(config, service, async ({ context }) => {
    const left = await moveTenant(context, given.argument, to === shared ? null : to, options)
    print(output, `Tenant ${given.argument} is moved.`)
    if (left !== null) print(output, `The former rows are left in ${left}.`)
  })
}

/** @throws UsageError */
function readOptions({ options, flags }: Arguments, { output }: Surroundings): MoveOptions {
  const seconds = options['remove-after'] ?? '60'
  if (!/^\d{1,6}$/.test(seconds)) throw new UsageError('--remove-after must be a number of seconds.')
  return {
    replace: flags.has('replace'),
    removeAfterMs: Number(seconds) * 1000,
    reached: phasePrinter(output, phaseTexts),
  }
}
